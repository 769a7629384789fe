import { join, resolve } from "node:path"
import { localFailure, openRegularFile } from "@assay/storage"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { writeTextBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"

export interface LogOptions extends JsonOption {
  readonly tail?: number
  readonly follow?: boolean
}

/** Runs `assay eval logs <job>`: the log of a job or of a folder with results. Control characters are shown as `⟨U+202E⟩`. */
export async function printLog(context: Context, jobOrFolder: string, { tail, follow }: LogOptions): Promise<void> {
  const { cwd, signal, stdout } = context
  if (isLocal(context, jobOrFolder))
    return printFile(context, join(resolve(cwd, jobOrFolder), "results", "evaluation.log"))
  const asked = {
    ...(tail === undefined ? {} : { tail }),
    ...(follow === undefined ? {} : { follow }),
    signal,
  }
  await writeTextBytes(stdout, openClient(context).evaluation.jobs.logs(jobOrFolder, asked))
}

async function printFile({ stdout }: Context, file: string): Promise<void> {
  try {
    await using handle = await openRegularFile(file)
    await writeTextBytes(stdout, handle.createReadStream({ autoClose: false }))
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}

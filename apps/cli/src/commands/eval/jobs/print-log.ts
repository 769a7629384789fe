import { join, resolve } from "node:path"
import { openRegularFile } from "@assay/storage/paths"
import type { Context } from "../../../context.ts"
import { isFolderName } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import { writeText } from "../../../output/write-text.ts"
import { localFailure } from "../../../transfer/local-failure.ts"
import type { JsonOption } from "../../action.ts"

export interface LogOptions extends JsonOption {
  readonly tail?: number
  readonly follow?: boolean
}

/** `assay eval logs <job>`: the log as it is, of a job or of a folder with results. */
export async function printLog(context: Context, place: string, { tail, follow }: LogOptions): Promise<void> {
  const { cwd, signal, stdout } = context
  if (isFolderName(place)) return printFile(context, join(resolve(cwd, place), "results", "evaluation.log"))
  const asked = {
    ...(tail === undefined ? {} : { tail }),
    ...(follow === undefined ? {} : { follow }),
    signal,
  }
  for await (const piece of openClient(context).evaluation.jobs.logs(place, asked)) await writeText(stdout, piece)
}

async function printFile({ stdout }: Context, file: string): Promise<void> {
  try {
    await using handle = await openRegularFile(file)
    for await (const piece of handle.createReadStream({ autoClose: false }))
      await writeText(stdout, piece as Uint8Array)
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}

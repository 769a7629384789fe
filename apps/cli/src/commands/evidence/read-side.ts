import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { SideInput } from "@assay/evidence"
import { downloadResultFiles, resultsFolder } from "@assay/local"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { baselineAddress } from "../baseline/manage-baselines.ts"
import { readSideLabels } from "./read-side-labels.ts"

/** Results that are read for a bundle. They stay on this machine until they are closed. */
export interface ReadSide extends AsyncDisposable {
  readonly input: SideInput
  readonly decisions: Awaited<ReturnType<typeof resultsFolder.decisions.read>>
  /** Absolute path of the folder that paths of the job are relative to. */
  readonly folder: string
}

/** The id of a job, also behind its workspace. Any other name is that of a baseline. */
const JOB = /^(?:[^/]+\/)?(eval-[^/]+)$/

/** Reads the results in a folder, or those of a job of a server, which are downloaded to a folder of their own. */
export async function readSide(context: Context, jobOrFolder: string): Promise<ReadSide> {
  if (isLocal(context, jobOrFolder)) {
    const folder = resolve(context.cwd, jobOrFolder)
    return { ...(await readFolder(context, folder, jobOrFolder)), [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  const folder = await mkdtemp(join(tmpdir(), "assay-bundle-"))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { signal } = context
    const client = openClient(context)
    const [, named] = JOB.exec(jobOrFolder) ?? []
    const id =
      named ?? (await client.evaluation.baselines.get(...baselineAddress(context, jobOrFolder), { signal })).job
    await downloadResultFiles(client.files, await client.evaluation.jobs.get(id, { signal }), folder, { signal })
    return { ...(await readFolder(context, folder, jobOrFolder)), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function readFolder(
  context: Context,
  folder: string,
  name: string,
): Promise<Pick<ReadSide, "input" | "decisions" | "folder">> {
  const { job, result, rows } = await resultsFolder.read(folder, name)
  const environment = await resultsFolder.readEnvironment(folder, name)
  return {
    input: { name, job, result, environment, rows, labels: await readSideLabels(context, { job, folder }) },
    decisions: await resultsFolder.decisions.read(folder),
    folder,
  }
}

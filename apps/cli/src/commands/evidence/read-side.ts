import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { downloadResultFiles, evidenceSides, type ReadSide } from "@assay/local"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { filesetsOfServer } from "../../fileset-of-server.ts"
import { openClient } from "../../open-client.ts"
import { baselineAddress } from "../baseline/manage-baselines.ts"

/** The id of a job, also behind its workspace. Any other name is that of a baseline. */
const JOB = /^(?:[^/]+\/)?(eval-[^/]+)$/

/** Reads the results in a folder, or those of a job of a server, which are downloaded to a folder of their own. */
export async function readSide(context: Context, jobOrFolder: string): Promise<ReadSide> {
  const sources = { ...context, filesets: filesetsOfServer(context) }
  if (isLocal(context, jobOrFolder)) {
    const folder = resolve(context.cwd, jobOrFolder)
    return {
      ...(await evidenceSides.readFolder(sources, folder, jobOrFolder)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
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
    return { ...(await evidenceSides.readFolder(sources, folder, jobOrFolder)), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

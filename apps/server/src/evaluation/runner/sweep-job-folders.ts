import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { Jobs } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import { loadEvaluation } from "../load-evaluation.ts"
import { jobFolder } from "./job-settings.ts"

/**
 * Removes what this machine keeps of jobs that are gone, with their workspace or by another server, and ends the harnesses that a
 * server before this one left running.
 */
export async function sweepJobFolders(folder: string, jobs: Pick<Jobs, "get">): Promise<void> {
  for (const id of await namesIn(join(folder, "jobs"))) {
    const isGone = await jobs.get(id).then(
      () => false,
      (error: unknown) => {
        if (!isAssayError(error, "not_found")) throw error
        return true
      },
    )
    const { endLeftHarnesses, removeJobFolder } = await loadEvaluation()
    if (isGone) await removeJobFolder(jobFolder(folder, id))
    else await endLeftHarnesses(jobFolder(folder, id))
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
    throw error
  }
}

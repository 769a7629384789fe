import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Jobs } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import { jobFolder } from "./job-settings.ts"

/** Removes what this machine keeps of jobs that are gone: with their workspace, or by another server. */
export async function sweepJobFolders(folder: string, jobs: Pick<Jobs, "get">): Promise<void> {
  for (const id of await namesIn(join(folder, "jobs"))) {
    const isGone = await jobs.get(id).then(
      () => false,
      (error: unknown) => {
        if (!isAssayError(error, "not_found")) throw error
        return true
      },
    )
    if (isGone) await rm(jobFolder(folder, id), { recursive: true, force: true })
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

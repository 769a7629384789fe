import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { Jobs } from "@assay/job-store"

/** Returns the folder of one job on this machine. */
export function jobFolder(folder: string, id: string): string {
  return join(folder, "jobs", id)
}

/** Removes the folder of a job on this machine, and ends a harness that still runs there. */
export async function removeFolderOfJob(folder: string, id: string): Promise<void> {
  const { removeJobFolder } = await import("@assay/harness")
  await removeJobFolder(jobFolder(folder, id))
}

/**
 * Removes the folders of jobs that were deleted with their workspace or by another server. Ends harnesses that an earlier process
 * on this machine left running.
 */
export async function sweepJobFolders(folder: string, jobs: Pick<Jobs, "isStored">): Promise<void> {
  for (const id of await namesIn(join(folder, "jobs"))) {
    // A job in the trash keeps its folder.
    if (!(await jobs.isStored(id))) {
      await removeFolderOfJob(folder, id)
      continue
    }
    const { endLeftHarnesses } = await import("@assay/harness")
    await endLeftHarnesses(jobFolder(folder, id))
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

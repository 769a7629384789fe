import { mkdir, readdir } from "node:fs/promises"
import { join } from "node:path"
import { endLeftHarness } from "./end-left-harness.ts"
import { removeTree } from "./remove-tree.ts"

const FOLDER = "harness"

/**
 * Makes the folder of a new attempt below the work folder of a job, once all that earlier attempts left has ended and is
 * removed: an attempt never sees what another one wrote, and nothing goes on writing.
 */
export async function openAttempt(workFolder: string, run: string): Promise<string> {
  await endHarnesses(workFolder)
  const folder = join(workFolder, FOLDER, run)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Ends the harnesses of a job that run without a runner, and removes what they wrote. Does nothing where there were none. */
export async function endHarnesses(workFolder: string): Promise<void> {
  const folder = join(workFolder, FOLDER)
  const attempts = await readdir(folder).catch(() => [])
  await Promise.all(attempts.map((attempt) => endLeftHarness(join(folder, attempt))))
  for (const attempt of attempts) await removeTree(join(folder, attempt))
}

/** Removes the work folder of a job with all that is in it, and ends what still runs there. */
export async function removeJobFolder(workFolder: string): Promise<void> {
  await endHarnesses(workFolder)
  await removeTree(workFolder)
}

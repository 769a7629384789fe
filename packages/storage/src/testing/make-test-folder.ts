import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** Creates an empty local folder for the current test. Its path contains no links. */
export async function makeTestFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "assay-storage-")))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

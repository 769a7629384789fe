import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** An empty folder of the machine, without links in its path, for the test that runs now. */
export async function makeTestFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "assay-storage-")))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

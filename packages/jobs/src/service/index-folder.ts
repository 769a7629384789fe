import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { createFolder } from "@assay/storage"

/** The folder of one process for the indexes of its jobs. */
export interface IndexFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Milliseconds after which a folder that a killed process left is removed. */
const LEFT_MS = 24 * 3_600_000

/** Creates a folder for this process below `parent`, and removes those that other processes left. */
export async function openIndexFolder(parent: string, name: string): Promise<IndexFolder> {
  const path = join(parent, name)
  await createFolder(path, { mode: 0o700, durable: false })
  const { mtimeMs: now } = await stat(path)
  for (const other of await readdir(parent)) {
    const left = join(parent, other)
    const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > LEFT_MS) await rm(left, { recursive: true, force: true })
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

import { opendir, rmdir, unlink } from "node:fs/promises"
import { join } from "node:path"
import { forEachParallel } from "@assay/storage"

/** Files that are deleted at a time. */
const PARALLEL = 8

/** Names that are read at a time. */
const NAMES = 256

/** Attempts, because a write that began before can still create a file in the folder. */
const ATTEMPTS = 6

/**
 * Deletes a folder with everything below it. A missing folder is ignored. It holds some hundred names in memory: `rm` of Node holds
 * all of them, and for 200,000 files it blocks the event loop for seconds.
 * @throws the reason of the signal; the error of the file system if a file cannot be deleted, or if new files keep coming
 */
export async function removeFolder(folder: string, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await forEachParallel(filesBelow(folder), PARALLEL, async (file) => {
        signal?.throwIfAborted()
        await unlink(file).catch(unlessMissing)
      })
      await removeEmpty(folder)
      return
    } catch (error) {
      if (attempt === ATTEMPTS || codeOf(error) !== "ENOTEMPTY") throw error
    }
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string, void, undefined> {
  for await (const { name, isFolder } of entriesOf(folder)) {
    const path = join(folder, name)
    if (isFolder) yield* filesBelow(path)
    else yield path
  }
}

/** Removes a folder that contains nothing but folders. */
async function removeEmpty(folder: string): Promise<void> {
  for await (const { name, isFolder } of entriesOf(folder)) if (isFolder) await removeEmpty(join(folder, name))
  await rmdir(folder).catch(unlessMissing)
}

async function* entriesOf(folder: string): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  const opened = await opendir(folder, { bufferSize: NAMES }).catch(unlessMissing)
  if (opened === undefined) return
  for await (const entry of opened) yield { name: entry.name, isFolder: entry.isDirectory() }
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}

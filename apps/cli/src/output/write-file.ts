import { appendFile as append, lstat, writeFile as write } from "node:fs/promises"
import { dirname } from "node:path"
import { createFolder, localFailure, writeWholeFile } from "@assay/storage"

/**
 * Writes a text file and creates its folders. If the disk fails, a file that would have been replaced is unchanged. Links, pipes and devices such
 * as `/dev/stdout` are written to.
 * @throws `local_file_failed`, or a more precise code such as `disk_full`
 */
export async function writeFile(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined || found.isFile()) await writeWholeFile(path, [text])
  else await inFolder(path, () => write(path, text))
}

/** Adds a text to the end of a file like `writeFile`. */
export function appendFile(path: string, text: string): Promise<void> {
  return inFolder(path, () => append(path, text))
}

/** Creates a folder and its missing parents. @throws as `writeFile` does */
export async function makeFolder(path: string): Promise<void> {
  await createFolder(path, { durable: false }).catch((error: unknown) => {
    throw localFailure(error, "write", path)
  })
}

async function inFolder(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await makeFolder(dirname(path))
    await run()
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}

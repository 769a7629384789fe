import { appendFile as append, writeFile as write } from "node:fs/promises"
import { dirname } from "node:path"
import { createFolder, localFailure } from "@assay/storage"

/** Writes a text file and creates its folders. @throws `local_file_failed`, or a more precise code such as `disk_full` */
export function writeFile(path: string, text: string): Promise<void> {
  return inFolder(path, () => write(path, text))
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

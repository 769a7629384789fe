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

async function inFolder(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await createFolder(dirname(path), { durable: false })
    await run()
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}

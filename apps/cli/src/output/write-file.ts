import { appendFile as append, mkdir, writeFile as write } from "node:fs/promises"
import { dirname } from "node:path"
import { localFailure } from "@assay/storage"

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
    await mkdir(dirname(path), { recursive: true })
    await run()
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}

import { mkdir, writeFile as write } from "node:fs/promises"
import { dirname } from "node:path"
import { localFailure } from "@assay/storage"

/** Writes a text file and creates its folders. @throws `local_file_failed`, or a more precise code such as `disk_full` */
export async function writeFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await write(path, text)
  } catch (error) {
    throw localFailure(error, "write", path)
  }
}

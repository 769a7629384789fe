import { AssayError } from "@assay/schemas"
import { quotePath, type StoredFile } from "@assay/storage"
import type { CheckpointReader } from "./checkpoint-reader.ts"

/** @throws `broken_checkpoint` where the file is longer than `limit` bytes */
export async function readTextFile(reader: CheckpointReader, file: StoredFile, limit: number): Promise<string> {
  if (file.size > limit) {
    const message = `The file ${quotePath(file.path)} has ${file.size} bytes; such a file is read up to ${limit}.`
    throw new AssayError("broken_checkpoint", message)
  }
  const bytes = await reader.read(file, 0, file.size)
  return bytes.toString("utf8").replace(/^\u{feff}/u, "")
}

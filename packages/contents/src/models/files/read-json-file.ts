import { AssayError } from "@assay/schemas"
import { quotePath, type StoredFile } from "@assay/storage"
import type { CheckpointReader } from "./checkpoint-reader.ts"
import { parsePythonJson } from "./parse-python-json.ts"
import { readTextFile } from "./read-text-file.ts"

/** A JSON object as it came; nothing in it is known to be what it should be. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * The object that a file of a checkpoint holds.
 * @throws `broken_checkpoint` where it is longer than `limit` bytes, or holds anything else
 */
export async function readJsonFile(reader: CheckpointReader, file: StoredFile, limit: number): Promise<JsonObject> {
  const text = await readTextFile(reader, file, limit)
  let value: unknown
  try {
    value = parsePythonJson(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it can't be parsed"
    throw new AssayError("broken_checkpoint", `The file ${quotePath(file.path)} is not JSON: ${reason}.`, { cause })
  }
  if (isJsonObject(value)) return value
  throw new AssayError("broken_checkpoint", `The file ${quotePath(file.path)} holds no JSON object.`)
}

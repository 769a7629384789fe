import { AssayError } from "@assay/schemas"
import { quotePath, type StoredFile } from "@assay/storage"
import { isJsonObject, type JsonObject } from "../../schemas/json-schema.ts"
import type { CheckpointReader } from "./checkpoint-reader.ts"

/**
 * Reads a file that holds a JSON object.
 * @throws `broken_checkpoint` if it is longer than `limit` bytes or holds anything else
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
  throw new AssayError("broken_checkpoint", `The file ${quotePath(file.path)} does not contain a JSON object.`)
}

/**
 * Reads a text file.
 * @throws `broken_checkpoint` if it is longer than `limit` bytes
 */
export async function readTextFile(reader: CheckpointReader, file: StoredFile, limit: number): Promise<string> {
  if (file.size > limit) {
    const message = `The file ${quotePath(file.path)} has ${file.size} bytes; such a file is read up to ${limit}.`
    throw new AssayError("broken_checkpoint", message)
  }
  const bytes = await reader.read(file, 0, file.size)
  return bytes.toString("utf8").replace(/^\u{feff}/u, "")
}

/** A string, or a word that Python writes for a number that JSON lacks. */
const STRING_OR_WORD = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g

/**
 * Parses JSON as Python writes it: `Infinity`, `-Infinity` and `NaN` become null.
 * @throws SyntaxError
 */
export function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const strict = text.replaceAll(STRING_OR_WORD, (found) => (found.startsWith('"') ? found : "null"))
    if (strict === text) throw error
    return JSON.parse(strict)
  }
}

import { AssayError, isAssayError } from "../errors/assay-error.ts"
import { parseJsonWithRows } from "../numbers/parse-exact-json.ts"
import { printable } from "../text/printable.ts"
import { parseYaml } from "./parse-yaml.ts"

/**
 * Parses JSON, or YAML with an object or a list. Messages call it `name`.
 * @throws `bad_document`; for a fault in YAML, with line and column
 */
export function parseStructured(text: string, name: string): unknown {
  try {
    JSON.parse(text)
  } catch (cause) {
    const value = readYaml(text, name, cause)
    if (typeof value === "object" && value !== null) return value
    throw notJson(name, cause)
  }
  try {
    return parseJsonWithRows(text)
  } catch (cause) {
    throw notJson(name, cause)
  }
}

function readYaml(text: string, name: string, cause: unknown): unknown {
  try {
    return parseYaml(text, name).value
  } catch (error) {
    // A text that begins like JSON is meant to be JSON.
    if (isAssayError(error) && !/^\s*[{[]/.test(text)) throw error
    throw notJson(name, cause)
  }
}

function notJson(name: string, cause: unknown): AssayError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AssayError("bad_document", `${name} is not JSON or YAML: ${printable(why)}.`, { cause })
}

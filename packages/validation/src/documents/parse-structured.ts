import { AssayError, isAssayError, messageOf, printable } from "@assay/schemas"
import { findDuplicateKey, parseJsonExactly, parseJsonRecord } from "@assay/json"
import { parseYaml } from "./parse-yaml.ts"

/**
 * Parses JSON, or YAML with an object or a list. Messages call it `name`. If `isOfUser`, the whole text is data of a user, such as a
 * JSON Schema, whose numbers keep their text.
 * @throws `bad_document`, also if an object has a key twice; for a fault in YAML, with line and column
 */
export function parseStructured(text: string, name: string, isOfUser = false): unknown {
  try {
    JSON.parse(text)
  } catch (cause) {
    const value = readYaml({ text, name, isOfUser }, cause)
    if (typeof value === "object" && value !== null) return value
    throw notJson(name, cause)
  }
  const value = readExactly({ text, name, isOfUser })
  const twice = findDuplicateKey(text, value, true)
  if (twice === undefined) return value
  const { key, at } = twice
  const line = text.slice(0, at).split("\n").length
  throw new AssayError(
    "bad_document",
    `${name}:${line}: The key '${printable(key)}' is twice in one object; keep one value of it.`,
  )
}

function readExactly({ text, name, isOfUser }: GivenText): unknown {
  try {
    return isOfUser ? parseJsonExactly(text) : parseJsonRecord(text)
  } catch (cause) {
    throw notJson(name, cause)
  }
}

interface GivenText {
  readonly text: string
  readonly name: string
  readonly isOfUser: boolean
}

function readYaml({ text, name, isOfUser }: GivenText, cause: unknown): unknown {
  try {
    return parseYaml(text, name, isOfUser).value
  } catch (error) {
    // A text that begins like JSON is meant to be JSON.
    if (isAssayError(error) && !/^\s*[{[]/.test(text)) throw error
    throw notJson(name, cause)
  }
}

function notJson(name: string, cause: unknown): AssayError {
  const why = messageOf(cause)
  return new AssayError("bad_document", `${name} is not JSON or YAML: ${printable(why)}.`, { cause })
}

import { AssayError, invalidRequest, isAssayError, checkJsonShape, printable } from "@assay/schemas"
import { findDuplicateKey, LostNumberError, parseJsonExactly, parseJsonRecord } from "@assay/json"

const MAX_SHOWN_KEY = 100

/**
 * Parses a JSON body. Numbers within rows keep their text, and all numbers if the body `isOfUser`. An empty text means no body,
 * because some clients send DELETE with a content type and nothing after it.
 * @throws `invalid_request`, also if an object has a key twice, and if the text exceeds JSON_LIMITS, which is checked before parsing
 */
export function parseJsonBody(text: string, isOfUser = false): unknown {
  if (text === "") return undefined
  checkJsonShape(text, ["body"])
  try {
    const body = isOfUser ? parseJsonExactly(text) : parseJsonRecord(text)
    const twice = findDuplicateKey(text, body, true)
    if (twice !== undefined) throw duplicateKey(twice)
    return body
  } catch (error) {
    if (isAssayError(error)) throw error
    if (error instanceof LostNumberError) {
      const { at, message } = error
      throw new AssayError("invalid_request", `body: ${message}`, {
        issues: [{ loc: ["body", at], msg: message, type: "number_out_of_range" }],
      })
    }
    const position = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length)
    throw new AssayError("invalid_request", "The body is not JSON", {
      issues: [
        { loc: ["body", position], msg: "JSON decode error", type: "json_invalid", ctx: { error: reasonOf(error) } },
      ],
    })
  }
}

/** Returns the error for a duplicate key: one of the values would be lost, and the sender does not know which. */
function duplicateKey({ key, at }: { readonly key: string; readonly at: number }): AssayError {
  const shown = printable(key.slice(0, MAX_SHOWN_KEY))
  const message = `The key '${shown}' is twice in one object; keep one value of it`
  return new AssayError("invalid_request", `body: ${message}`, {
    issues: [{ loc: ["body", at], msg: message, type: "json_invalid" }],
  })
}

/** Returns the reason without the part of the body that the parser quotes: it can be part of a secret. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, "").replace(/ in JSON at .*$/s, "")
}

/** Maximum number of fields of a form. Known clients send fewer. */
const MAX_FIELDS = 10_000

/**
 * Parses a form (`application/x-www-form-urlencoded`) into an object, as if it were JSON. A field that occurs more than once
 * is a list.
 * @throws `invalid_request` for more than 10,000 fields
 */
export function parseFormBody(text: string): Readonly<Record<string, string | string[]>> {
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw invalidRequest(["body"], `The form has more than ${MAX_FIELDS} fields; send fewer at a time`, "too_long")
  }
  const fields = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const known = fields.get(key)
    if (known === undefined) fields.set(key, value)
    else if (typeof known === "string") fields.set(key, [known, value])
    else known.push(value)
  }
  return Object.fromEntries(fields)
}

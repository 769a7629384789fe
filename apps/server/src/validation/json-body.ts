import { AssayError, checkJsonShape, parseJsonWithRows } from "@assay/schemas"

/** What is wrong, without the piece of the body that the parser quotes: it may be part of a secret. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, "").replace(/ in JSON at .*$/s, "")
}

/**
 * Reads a JSON body, in whose rows numbers keep their text; an empty text counts as no body, since clients send DELETE with a content type and nothing after it.
 * @throws `invalid_request`, and for what exceeds JSON_LIMITS before it is parsed
 */
export function parseJsonBody(text: string): unknown {
  if (text === "") return undefined
  checkJsonShape(text, ["body"])
  try {
    return parseJsonWithRows(text)
  } catch (error) {
    const position = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length)
    throw new AssayError("invalid_request", "The body is not JSON", {
      issues: [
        { loc: ["body", position], msg: "JSON decode error", type: "json_invalid", ctx: { error: reasonOf(error) } },
      ],
    })
  }
}

import { AssayError, checkJsonShape, parseJsonWithRows } from "@assay/schemas"
import type { FastifyInstance } from "fastify"

/** Has `app` parse JSON bodies with `parseJsonBody`, and refuse all other bodies unless a route takes them. */
export function installJsonParser(app: FastifyInstance, bodyLimit: number): void {
  app.removeContentTypeParser(["application/json", "text/plain"])
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/,
    { parseAs: "string", bodyLimit },
    (_request, text, done) => {
      try {
        done(null, parseJsonBody(text))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/**
 * Parses a JSON body. Numbers within rows keep their text. An empty text means no body, because some clients send DELETE
 * with a content type and nothing after it.
 * @throws `invalid_request`, also if the text exceeds JSON_LIMITS, which is checked before parsing
 */
function parseJsonBody(text: string): unknown {
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

/** Returns the reason without the part of the body that the parser quotes: it can be part of a secret. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, "").replace(/ in JSON at .*$/s, "")
}

import { checkSucceeded } from "./failed-answer.ts"

/** The body of a completion, as received. */
export type CompletionBody = Readonly<Record<string, unknown>>

/** Parses the text of an answer, which can begin with a byte order mark. Returns undefined if it is not JSON. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown
  } catch {
    return undefined
  }
}

/**
 * Checks that the JSON of an answer is a completion. Its content type does not matter.
 * @throws `FailedAnswer` if it says that the request failed, and an error if it is anything else
 */
export function checkCompletion(body: unknown): CompletionBody {
  const answer = (typeof body === "object" && body !== null ? body : {}) as CompletionBody
  checkSucceeded(answer)
  const { choices } = answer
  if (!Array.isArray(choices) || choices.length === 0) throw new Error("The answer is not a completion.")
  return answer
}

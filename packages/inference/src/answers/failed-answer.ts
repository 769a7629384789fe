import { fieldsOf } from "@assay/json"
import { answerEnd, finishReasonOf } from "@assay/schemas"

type Fields = Readonly<Record<string, unknown>>

/** An answer with status 200 says that the request failed. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer"
  /** Its error, in the form of an error body. */
  readonly body: string

  constructor(body: Fields) {
    super("The answer says that the request failed.")
    this.body = JSON.stringify(body)
  }
}

/**
 * Checks that an answer, or a chunk of one, does not say that the request failed: by `error` or `errors` beside its choices, by `error`
 * in a choice or its message, by the `base_resp` of MiniMax, or by a `finish_reason` such as `error`. The rest of it is not
 * an answer: its text may have broken off anywhere.
 * @throws `FailedAnswer`
 */
export function checkSucceeded(answer: Fields): void {
  const failure = failureOfAnswer(answer)
  if (failure !== undefined) throw new FailedAnswer(failure)
}

/** Returns the failure that an answer reports, in the form of an error body. Undefined: it reports none. */
export function failureOfAnswer(answer: Fields): Fields | undefined {
  const { choices, error = null, errors, base_resp: status } = answer
  if (isError(error) && !isSuccess(error, choices)) return { error }
  if (Array.isArray(errors) && isError(errors)) return { error: (errors as readonly unknown[])[0] }
  const { status_code: code, status_msg: said } = fieldsOf(status)
  if (typeof code === "number" && code !== 0) return { error: { code, message: said } }
  if (!Array.isArray(choices)) return undefined
  for (const choice of choices as readonly unknown[]) {
    const { error, finish_reason: reason, message, delta } = fieldsOf(choice)
    const inside = [error, fieldsOf(message)["error"], fieldsOf(delta)["error"]].find(
      (one) => isError(one) && !isSuccess(one, choices),
    )
    if (inside !== undefined) return { error: inside }
    const ended = finishReasonOf(reason)
    if (answerEnd(ended) === "failed") {
      return { error: { message: `the answer ended with finish_reason '${ended ?? ""}'` } }
    }
  }
  return undefined
}

/** Returns whether a value is an error. Some servers add an empty error to each answer. */
function isError(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return isSaid(error)
  return Object.values(error).some((value) => isSaid(value))
}

const SUCCESS_CODES: ReadonlySet<unknown> = new Set([0, "0", 200, "200"])
const SUCCESS_WORD = /^(?:success(?:ful(?:ly)?)?|succeeded|ok|no[ _]error|none|null)[.!]?$/i

/**
 * Returns whether an error object says that the request succeeded, as gateways write that put a status beside each answer. It has a
 * code of success and no other text than a word for it, and there is an answer beside it. Anything else stays a failure: a code alone
 * does not make the answer to a refused request a verdict.
 */
function isSuccess(error: unknown, choices: unknown): boolean {
  const { code, ...others } = fieldsOf(error)
  if (!SUCCESS_CODES.has(code) || !Array.isArray(choices) || choices.length === 0) return false
  return Object.values(others).every(
    (value) => !isSaid(value) || value === code || (typeof value === "string" && SUCCESS_WORD.test(value.trim())),
  )
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0
}

import { causeChain, firstCode, retryAfter } from "@assay/http"
import { AssayError, ERROR_CATALOGUE, type ErrorCode, isAssayError, messageOf } from "@assay/schemas"
import { removeSecrets } from "../remove-secrets.ts"
import type { Failure, FailureRecord } from "./failure.ts"

const REQUEST_ID = ["x-request-id", "request-id", "nvcf-reqid", "x-amz-request-id", "cf-ray"]

/** Creates the error to throw for a failure. It contains none of `secrets`. */
export function inferenceError(failure: Failure, record: FailureRecord, secrets: readonly string[]): AssayError {
  const clean = (text: string) => removeSecrets(text, secrets)
  const requestId = REQUEST_ID.map((name) => record.headers[name]).find((value) => value !== undefined)
  const wait = retryAfter(record.headers)
  const facts = Object.entries(failure.facts ?? {}).map(([name, fact]) => [name, cleaned(fact, clean)] as const)
  const context = {
    url: record.url,
    model: record.model,
    advice: clean(failure.advice),
    ...(record.status !== null && { status: record.status }),
    ...(failure.status !== undefined && failure.status !== record.status && { meant_status: failure.status }),
    ...(requestId !== undefined && { request_id: clean(requestId) }),
    ...(wait !== undefined && { retry_after_ms: wait }),
    ...(record.status !== null && { body: record.body }),
    ...Object.fromEntries(facts),
  }
  const cause = record.broke === undefined ? undefined : bareCause(record.broke, clean)
  return new AssayError(failure.code, clean(`${failure.reason}; ${failure.advice}.`), { context, cause })
}

function cleaned(fact: unknown, clean: (text: string) => string): unknown {
  if (typeof fact === "string") return clean(fact)
  return Array.isArray(fact) ? fact.map((one) => cleaned(one, clean)) : fact
}

/** Copies message and code of an error. Errors of libraries also hold requests, headers and sockets. */
function bareCause(error: unknown, clean: (text: string) => string): Error {
  const message = causeChain(error).at(-1)?.message ?? String(error)
  const code = firstCode(error)?.code
  return Object.assign(new Error(clean(message)), code === undefined ? {} : { code })
}

/** A failure with the texts of the error catalogue. */
export interface FailureDescription {
  readonly code: ErrorCode
  readonly title: string
  readonly message: string
  readonly remedy: string
}

/** Describes an error for users: its title, what happened and what to do. An error without a code is `internal`. */
export function describeFailure(error: unknown): FailureDescription {
  const code = isAssayError(error) ? error.code : "internal"
  const entry: { readonly title?: string; readonly meaning: string; readonly remedy: string } = ERROR_CATALOGUE[code]
  const message = removeSecrets(messageOf(error))
  return { code, title: entry.title ?? entry.meaning, message, remedy: entry.remedy }
}

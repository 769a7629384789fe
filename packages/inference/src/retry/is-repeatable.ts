import { firstCode } from "@assay/http"
import { HANDSHAKE_PROBLEM } from "../failures/tls-failure.ts"
import type { Failure, FailureRecord } from "../failures/failure.ts"

/** Conditions that another attempt can't change, regardless of the status. */
const FINAL = new Set<Failure["code"]>([
  "inference_tls",
  "inference_unauthorized",
  "quota_exhausted",
  "context_overflow",
  "parameter_unsupported",
  "server_out_of_memory",
])
const FINAL_CODES = new Set(["ENOTFOUND", "ERR_INVALID_URL", "UND_ERR_DESTROYED"])
const STATUSES = new Set([408, 409, 429])

/** Returns whether the same request may succeed in a moment: after 408, 409, 429, 5xx, also inside a 200, and broken connections. */
export function isRepeatable(failure: Failure, { broke, headers, timedOutMs, ...record }: FailureRecord): boolean {
  const { code, facts, status = record.status } = failure
  const isFinal = FINAL.has(code) && facts?.["tls_problem"] !== HANDSHAKE_PROBLEM
  if (isFinal || timedOutMs !== null) return false
  if (broke !== undefined) {
    const network = firstCode(broke)?.code
    return network !== undefined && !FINAL_CODES.has(network) && !network.startsWith("HPE_") && !isPolicy(network)
  }
  if (headers["x-should-retry"] === "true") return true
  if (headers["x-should-retry"] === "false" || status === null) return false
  return STATUSES.has(status) || status >= 500
}

/** Returns whether the server limits the rate and the request itself is fine. */
export function isRateLimited({ code }: Failure, { broke, headers }: FailureRecord): boolean {
  return code === "rate_limited" && broke === undefined && headers["x-should-retry"] !== "false"
}

/** Returns whether the code is one of our own, in lower case: the operator's host policy, which does not change. */
function isPolicy(code: string): boolean {
  return /^[a-z_]+$/.test(code)
}

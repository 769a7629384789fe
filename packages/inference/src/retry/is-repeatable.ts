import { firstCode } from "@assay/http"
import { HANDSHAKE_PROBLEM } from "../failures/tls-failure.ts"
import type { Failure, FailureRecord } from "../failures/failure.ts"

/** Conditions that asking again can't change, whatever the status says. */
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

/** Whether the same request may fare better in a moment: 408, 409, 429, 5xx and broken connections. */
export function isRepeatable({ code, facts }: Failure, { broke, headers, status, timedOutMs }: FailureRecord): boolean {
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

/** Whether a server only wants to be asked later: its rate limit, which is no fault of the request. */
export function isRateLimited({ code }: Failure, { broke, headers }: FailureRecord): boolean {
  return code === "rate_limited" && broke === undefined && headers["x-should-retry"] !== "false"
}

/** Our own codes are words in lower case: the operator's policy, which stays as it is. */
function isPolicy(code: string): boolean {
  return /^[a-z_]+$/.test(code)
}

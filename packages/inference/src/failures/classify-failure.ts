import type { Failure, FailureRecord } from "./failure.ts"
import { networkFailure } from "./network-failure.ts"
import { responseFailure } from "./response-failure.ts"

/**
 * Why a call failed, by the first that tells: the time limit, what broke below HTTP with its chain of causes, status
 * together with body, and for a 200 the body alone.
 */
export function classifyFailure(record: FailureRecord): Failure {
  const { timedOutMs, host, status } = record
  if (timedOutMs !== null) {
    const where = status === null ? "has not begun to answer" : "has not ended its answer"
    return {
      code: "request_timeout",
      reason: `${host} ${where} after ${timedOutMs} ms`,
      advice: "raise `request_timeout`, ask for fewer tokens, or lower `parallelism`",
      facts: { timeout_ms: timedOutMs },
    }
  }
  return record.broke === undefined ? responseFailure(record) : networkFailure(record)
}

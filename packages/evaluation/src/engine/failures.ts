import type { PlanEnd } from "./run-outcome.ts"
import { formatInteger } from "@assay/reports"
import type { AssayError, ConditionCode, ErrorCode, EvaluationRow } from "@assay/schemas"

type RowError = NonNullable<EvaluationRow["error"]>

/** The rows of a task that failed for good, and whether they end the job. */
export interface FailureLedger {
  /** Counts a row that failed in an earlier attempt and is not repeated in this one. */
  keep(error: RowError): void
  /** Counts a row that failed in this attempt. */
  note(error: RowError): void
  /** Records that a row succeeded in this attempt. */
  succeeded(): void
  /** The rows that have failed and are no longer retried in this attempt. */
  readonly standing: number
  /** Returns why the job ends early; undefined if it continues. `total` is the number of rows, null if it is not known. */
  verdict(total: number | null): PlanEnd | undefined
  /** Returns why the job has failed after its last row; undefined if it has not. */
  lastVerdict(total: number | null): PlanEnd | undefined
}

interface Options {
  readonly task: string
  /** The share of rows that may fail, 0 to 1. */
  readonly share: number
  /** Whether failures of earlier attempts can end this one. False for an attempt that only adds scores and asks no row again. */
  readonly countsKept: boolean
  /** Whether rows have succeeded already. */
  readonly hasSucceeded: boolean
}

/** After this many failures of one doubtful kind and no success, the job ends. */
const DOUBTFUL_FAILURES = 10
/** Makes up for rounding: 0.57 × 100 is slightly less than 57. */
const ROUNDING = 1e-9

/** Creates the ledger of one task for one attempt. */
export function createFailureLedger({ task, share, countsKept, hasSucceeded }: Options): FailureLedger {
  const kinds = new Map<string, { count: number; readonly message: string }>()
  const codesOfAttempt = new Set<string>()
  let kept = 0
  let noted = 0
  let hasSuccess = hasSucceeded

  const add = ({ code, message }: RowError): void => {
    const kind = kinds.get(code)
    if (kind === undefined) kinds.set(code, { count: 1, message })
    else kind.count++
  }
  const end = (why: string): PlanEnd => {
    const [code, kind] = [...kinds].reduce((most, one) => (one[1].count > most[1].count ? one : most))
    const most = kind.count === kept + noted ? "all" : `${formatInteger(kind.count)} of them`
    return { kind: "failed", code, message: `${why}; ${most} with ${code}: ${kind.message}` }
  }
  const overShare = (failed: number, total: number | null): PlanEnd | undefined => {
    const allowed = share * (total ?? Infinity) + ROUNDING
    if (total === null || failed === 0 || failed <= allowed) return undefined
    const rows = `${formatInteger(kept + noted)} of the ${formatInteger(total)} rows of task "${task}" failed`
    return end(`${rows}, max_failed_share allows ${formatInteger(Math.floor(allowed))}`)
  }
  return {
    keep(error) {
      kept++
      add(error)
    },
    note(error) {
      noted++
      codesOfAttempt.add(error.code)
      add(error)
    },
    succeeded() {
      hasSuccess = true
    },
    get standing() {
      return kept + noted
    },
    verdict(total) {
      const isHopeless = !hasSuccess && noted >= DOUBTFUL_FAILURES && codesOfAttempt.size === 1
      if (isHopeless && isDoubtful([...codesOfAttempt][0] ?? "")) {
        return end(`The first ${formatInteger(noted)} rows of task "${task}" failed and none came through`)
      }
      return overShare(countsKept ? kept + noted : noted, total)
    },
    lastVerdict: (total) => overShare(kept + noted, total),
  }
}

const FATAL: ReadonlySet<string> = new Set<ErrorCode | ConditionCode>([
  "inference_unauthorized",
  "inference_tls",
  "model_not_found",
  "quota_exhausted",
  "host_not_allowed",
  "secret_not_readable",
  "disk_full",
  "recording_missing",
])

const DOUBTFUL: ReadonlySet<string> = new Set<ErrorCode | ConditionCode>([
  "inference_unreachable",
  "parameter_unsupported",
  "server_out_of_memory",
  "template_error",
  "inference_tls",
])

/** Returns whether every other row would fail the same way, because the fault is in the job and not in the row. */
export function isFatal(code: string): boolean {
  return FATAL.has(code)
}

/** Returns whether a failure ends the job at once. A reset TLS handshake does not: it may succeed later, like any lost connection. */
export function endsJob({ code, context }: AssayError): boolean {
  return isFatal(code) && context["tls_problem"] !== "handshake-reset"
}

/** Returns whether every other row may fail the same way. It is assumed that they do if no row has succeeded. */
function isDoubtful(code: string): boolean {
  return DOUBTFUL.has(code)
}

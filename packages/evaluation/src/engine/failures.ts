import type { AssayError, ConditionCode, ErrorCode, EvaluationRow } from "@assay/schemas"
import type { PlanEnd } from "./plan-outcome.ts"

type RowError = NonNullable<EvaluationRow["error"]>

/** The rows of a task that failed for good, and whether the job can bear them. */
export interface FailureLedger {
  /** A row failed in a round before, and this one leaves it at that. */
  keep(error: RowError): void
  /** A row of this round failed. */
  note(error: RowError): void
  /** A row of this round came through. */
  succeeded(): void
  /** Why the job ends before its rows do; undefined while it can go on. `total`: rows that there are, where that is known. */
  verdict(total: number | null): PlanEnd | undefined
  /** Why the job has failed, now that all is done; undefined where it has not. */
  lastVerdict(total: number | null): PlanEnd | undefined
}

interface Options {
  readonly task: string
  /** Share of rows that may fail. */
  readonly share: number
  /** Whether failures of rounds before end this one: not where it asks nobody anew. */
  readonly mindsKept: boolean
}

/** So many failures of one kind and no success, and the rest is spared them. */
const DOUBTFUL_FAILURES = 10
/** What 0.57 × 100 lacks of 57. */
const ROUNDING = 1e-9

export function createFailureLedger({ task, share, mindsKept }: Options): FailureLedger {
  const kinds = new Map<string, { count: number; readonly message: string }>()
  const codesOfRound = new Set<string>()
  let [kept, noted] = [0, 0]
  let hasSuccess = false

  const add = ({ code, message }: RowError): void => {
    const kind = kinds.get(code)
    if (kind === undefined) kinds.set(code, { count: 1, message })
    else kind.count++
  }
  const end = (why: string): PlanEnd => {
    const [code, kind] = [...kinds].reduce((most, one) => (one[1].count > most[1].count ? one : most))
    const most = kind.count === kept + noted ? "all" : `${format(kind.count)} of them`
    return { kind: "failed", code, message: `${why}; ${most} with ${code}: ${kind.message}` }
  }
  const overShare = (failed: number, total: number | null): PlanEnd | undefined => {
    const allowed = share * (total ?? Infinity) + ROUNDING
    if (total === null || failed === 0 || failed <= allowed) return undefined
    const rows = `${format(kept + noted)} of the ${format(total)} rows of task "${task}" failed`
    return end(`${rows}, max_failed_share allows ${format(Math.floor(allowed))}`)
  }
  return {
    keep(error) {
      kept++
      add(error)
    },
    note(error) {
      noted++
      codesOfRound.add(error.code)
      add(error)
    },
    succeeded() {
      hasSuccess = true
    },
    verdict(total) {
      const isHopeless = !hasSuccess && noted >= DOUBTFUL_FAILURES && codesOfRound.size === 1
      if (isHopeless && isDoubtful([...codesOfRound][0] ?? "")) {
        return end(`The first ${format(noted)} rows of task "${task}" failed and none came through`)
      }
      return overShare(mindsKept ? kept + noted : noted, total)
    },
    lastVerdict: (total) => overShare(kept + noted, total),
  }
}

function format(number: number): string {
  return number.toLocaleString("en")
}

const FATAL: ReadonlySet<string> = new Set<ErrorCode | ConditionCode>([
  "inference_unauthorized",
  "inference_tls",
  "model_not_found",
  "quota_exhausted",
  "host_not_allowed",
  "secret_not_readable",
  "disk_full",
])

const DOUBTFUL: ReadonlySet<string> = new Set<ErrorCode | ConditionCode>([
  "inference_unreachable",
  "parameter_unsupported",
  "server_out_of_memory",
  "template_error",
  "inference_tls",
])

/** Whether every other row would fail the same way: the fault is the job's and not the row's. */
export function isFatal(code: string): boolean {
  return FATAL.has(code)
}

/** Whether a failure ends the job at once. A handshake that is broken off may pass, as any broken connection. */
export function endsJob({ code, context }: AssayError): boolean {
  return isFatal(code) && context["tls_problem"] !== "handshake-reset"
}

/** Whether every other row may fail the same way: it does, where no row has come through. */
export function isDoubtful(code: string): boolean {
  return DOUBTFUL.has(code)
}

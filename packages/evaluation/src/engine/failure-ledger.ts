import type { EvaluationRow } from "@assay/schemas"
import { isDoubtful } from "./fatal-failures.ts"
import type { PlanEnd } from "./plan-outcome.ts"

type RowError = NonNullable<EvaluationRow["error"]>

/** The rows of a task that failed for good, and whether the job can bear them. */
export interface FailureLedger {
  /** A row failed, in this round or in one before. */
  note(error: RowError): void
  /** A row of this round came through. */
  succeeded(): void
  /** Why the job ends; undefined while it can go on. `total`: rows that there are, where that is known. */
  verdict(total: number | null): PlanEnd | undefined
}

interface Options {
  readonly task: string
  /** Share of rows that may fail. */
  readonly share: number
}

/** So many failures of one kind and no success, and the rest is spared them. */
const DOUBTFUL_FAILURES = 10
/** What 0.57 × 100 lacks of 57. */
const ROUNDING = 1e-9

export function createFailureLedger({ task, share }: Options): FailureLedger {
  const kinds = new Map<string, { count: number; readonly message: string }>()
  let failed = 0
  let hasSuccess = false

  const end = (why: string): PlanEnd => {
    const [code, kind] = [...kinds].reduce((most, one) => (one[1].count > most[1].count ? one : most))
    const most = kind.count === failed ? "all" : `${count(kind.count)} of them`
    return { kind: "failed", code, message: `${why}; ${most} with ${code}: ${kind.message}` }
  }
  return {
    note({ code, message }) {
      failed++
      const kind = kinds.get(code)
      if (kind === undefined) kinds.set(code, { count: 1, message })
      else kind.count++
    },
    succeeded() {
      hasSuccess = true
    },
    verdict(total) {
      if (total !== null && failed > share * total + ROUNDING) {
        const allowed = `max_failed_share allows ${Math.floor(share * total + ROUNDING).toLocaleString("en")}`
        return end(`${count(failed)} of the ${count(total)} rows of task "${task}" failed, ${allowed}`)
      }
      if (!hasSuccess && failed >= DOUBTFUL_FAILURES && kinds.size === 1 && isDoubtful([...kinds.keys()][0] ?? "")) {
        return end(`The first ${count(failed)} rows of task "${task}" failed and none came through`)
      }
      return undefined
    },
  }
}

function count(number: number): string {
  return number.toLocaleString("en")
}

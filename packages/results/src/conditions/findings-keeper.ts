import type { ConditionCode } from "@assay/schemas"
import { comparePositions, type ConditionFindings, type ErrorFinding, type RetryFinding } from "./condition-findings.ts"

/** Keeps what is in no row, as much of it as a condition shows. */
export interface FindingsKeeper {
  add(found: ErrorFinding): void
  addRetry(found: RetryFinding): void
  list(): ConditionFindings
}

/** Findings of one condition that are kept: those of the first rows, with as many different lines as a condition shows. */
const MAX_KEPT = 6

export function createFindingsKeeper(): FindingsKeeper {
  const errors = new Map<ConditionCode, Map<string, ErrorFinding>>()
  const retries = new Map<ConditionCode, RetryFinding>()
  return {
    add(found) {
      const { code } = found.finding
      const known = errors.get(code) ?? new Map<string, ErrorFinding>()
      errors.set(code, known)
      const key = JSON.stringify([found.finding, found.lines])
      const before = known.get(key)
      if (before !== undefined && comparePositions(found.position, before.position) >= 0) return
      known.set(key, found)
      if (known.size <= MAX_KEPT) return
      const inOrder = [...known].toSorted(
        ([, a], [, b]) => weight(a) - weight(b) || comparePositions(a.position, b.position),
      )
      known.delete(inOrder.at(-1)?.[0] ?? "")
    },
    addRetry(found) {
      const before = retries.get(found.finding.code)
      const isFirst = before === undefined || found.finding.message < before.finding.message
      const { finding } = isFirst ? found : before
      retries.set(finding.code, { finding, count: found.count + (before?.count ?? 0) })
    },
    list: () => ({
      errors: [...errors.values()].flatMap((known) => [...known.values()]),
      retries: [...retries.values()],
    }),
  }
}

/** Findings with advice are shown before others. */
function weight({ finding }: ErrorFinding): number {
  return finding.advice === undefined ? 1 : 0
}

import type { ConditionCode } from "@assay/schemas"
import { comparePositions, type ConditionFindings, type ErrorFinding, type RetryFinding } from "./condition-findings.ts"

/** Keeps what is in no row, as much of it as a condition shows. */
export interface FindingsKeeper {
  add(found: ErrorFinding): void
  addRetry(found: RetryFinding): void
  readonly list: () => ConditionFindings
}

/** Different findings of one condition that are kept: one more than the lines that it shows. */
const MAX_KEPT = 6

export function createFindingsKeeper(): FindingsKeeper {
  const errors = createFirsts<ErrorFinding>()
  const retries = createFirsts<RetryFinding>()
  const counts = new Map<ConditionCode, number>()
  return {
    add: (found) => errors.add(JSON.stringify([found.finding, found.lines]), found),
    addRetry(found) {
      const { code } = found.finding
      counts.set(code, (counts.get(code) ?? 0) + found.count)
      retries.add(JSON.stringify(found.finding), found)
    },
    list: () => {
      const counted = new Set<ConditionCode>()
      return {
        errors: errors.list(),
        // The first finding of a condition has the count of all, also of those that are not kept.
        retries: retries.list().map((found) => {
          const { code } = found.finding
          const count = counted.has(code) ? 0 : (counts.get(code) ?? 0)
          counted.add(code)
          return { ...found, count }
        }),
      }
    },
  }
}

/** The findings of the first rows, for each condition. */
interface Firsts<T> {
  /** @param key equal for findings that differ only in their row */
  add(key: string, found: T): void
  list(): readonly T[]
}

function createFirsts<T extends Omit<RetryFinding, "count">>(): Firsts<T> {
  const kept = new Map<ConditionCode, Map<string, T>>()
  return {
    add(key, found) {
      const { code } = found.finding
      const known = kept.get(code) ?? new Map<string, T>()
      kept.set(code, known)
      const before = known.get(key)
      if (before !== undefined && comparePositions(found.position, before.position) >= 0) return
      known.set(key, found)
      if (known.size <= MAX_KEPT) return
      const inOrder = [...known].toSorted(([, a], [, b]) => compareFindings(a, b))
      known.delete(inOrder.at(-1)?.[0] ?? "")
    },
    list: () => [...kept.values()].flatMap((known) => [...known.values()]),
  }
}

/** Findings with advice are shown before others. */
function compareFindings(a: Omit<RetryFinding, "count">, b: Omit<RetryFinding, "count">): number {
  const lacksAdvice = Number(a.finding.advice === undefined) - Number(b.finding.advice === undefined)
  return lacksAdvice || comparePositions(a.position, b.position)
}

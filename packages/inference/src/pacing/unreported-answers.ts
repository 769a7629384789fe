/** Good answers: how many there were in some short times, by the ends of these. */
export type AnswerCounts = readonly (readonly [at: number, count: number])[]

/** Good answers of this process that the others do not know yet. */
export interface UnreportedAnswers {
  add(): void
  /** Returns them, and forgets them. */
  take(): AnswerCounts
  /** Counts answers again that could not be reported. */
  restore(counts: AnswerCounts): void
}

const PART_MS = 50
/** Older answers are forgotten: a database that crashes is back by then. */
const LONGEST_MS = 10_000

/** Returns the end of the short time that answers of a moment are counted by. */
export function partOf(at: number): number {
  return Math.ceil(at / PART_MS) * PART_MS
}

export function createUnreportedAnswers(now: () => number): UnreportedAnswers {
  let counts = new Map<number, number>()

  function add(at: number, count: number): void {
    const known = counts.get(at)
    counts.set(at, (known ?? 0) + count)
    if (known !== undefined) return
    const oldest = now() - LONGEST_MS
    for (const one of counts.keys()) if (one < oldest) counts.delete(one)
  }

  return {
    add: () => add(partOf(now()), 1),
    take() {
      const taken = [...counts]
      counts = new Map()
      return taken
    },
    restore(taken) {
      for (const [at, count] of taken) add(at, count)
    },
  }
}

import type { Question } from "./history.ts"

/** A time in which no question of the job arrived. */
export interface Pause {
  /** ISO 8601. */
  readonly since: string
  readonly seconds: number
}

const LISTED = 5

/** Returns the longest pauses between two questions, the longest one first. */
export function findPauses(questions: readonly Question[]): readonly Pause[] {
  const times = questions.map(({ at }) => at).toSorted((a, b) => a - b)
  return times
    .slice(1)
    .map((at, before) => ({ since: times[before] ?? at, until: at }))
    .toSorted((a, b) => b.until - b.since - (a.until - a.since))
    .slice(0, LISTED)
    .map(({ since, until }) => ({ since: new Date(since).toISOString(), seconds: (until - since) / 1000 }))
}

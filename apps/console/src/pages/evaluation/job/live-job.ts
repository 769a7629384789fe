import { type JobEvent, type JobGateState, type JobStatusDetails, readGateStates } from "@assay/schemas"

/** The state of a job according to its events so far. Its size does not grow with their number. */
export interface LiveJob {
  readonly processed: number
  readonly total: number | null
  readonly failed: number
  /** Running means by `task.metric.score`. */
  readonly means: Readonly<Record<string, number>>
  readonly tokens: JobStatusDetails["tokens"]
  readonly cost: JobStatusDetails["cost"]
  /** Undefined if no event has named gates. */
  readonly gates: readonly JobGateState[] | undefined
  /** Numbers of finished rows with their times, for the rate. The oldest first. */
  readonly marks: readonly { readonly at: number; readonly processed: number }[]
}

export const NOTHING_YET: LiveJob = {
  processed: 0,
  total: null,
  failed: 0,
  means: {},
  tokens: undefined,
  cost: undefined,
  gates: undefined,
  marks: [],
}

const MAX_MARKS = 60

/** Returns the state of the job after further events. `now` is in milliseconds. */
export function nextLive(before: LiveJob, events: readonly JobEvent[], now: number): LiveJob {
  const progress = events.findLast(({ event }) => event === "progress")?.data
  if (progress === undefined) return before
  const processed = numberOr(progress["samples_processed"], before.processed)
  return {
    processed,
    total: numberOr(progress["samples_total"], before.total),
    failed: numberOr(progress["samples_failed"], before.failed),
    means: (progress["means"] as LiveJob["means"] | undefined) ?? before.means,
    tokens: (progress["tokens"] as LiveJob["tokens"]) ?? before.tokens,
    cost: (progress["cost"] as LiveJob["cost"]) ?? before.cost,
    gates: progress["gates"] === undefined ? before.gates : readGateStates(progress["gates"]),
    marks: [...before.marks, { at: now, processed }].slice(-MAX_MARKS),
  }
}

/** Returns rows a second over the last marks; undefined while there are too few. */
export function rateOf({ marks }: Pick<LiveJob, "marks">): number | undefined {
  const first = marks[0]
  const last = marks.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < 1000) return undefined
  return ((last.processed - first.processed) / (last.at - first.at)) * 1000
}

function numberOr<T>(value: unknown, other: T): number | T {
  return typeof value === "number" ? value : other
}

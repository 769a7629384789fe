import type { Condition, ConditionCode, EvaluationRow } from "@assay/schemas"
import { type ConditionTally, createConditionTally, type Finding, type Seen } from "./condition-tally.ts"
import { createEmptyTally } from "./empty-tally.ts"
import { findInError, findingsInError, isConditionCode } from "./find-in-error.ts"
import { findInText } from "./find-in-text.ts"
import { createTruncationTally } from "./truncation-tally.ts"
import { createJudgeTally, type Found } from "./unreadable-tally.ts"

export interface ConditionFinderOptions {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Where an error befell. */
export interface ErrorPlace {
  /** The lines that show it. Default: its message. */
  readonly evidence?: readonly string[]
  /** The row that it spoilt; that row is counted when it is added itself. */
  readonly row?: Pick<EvaluationRow, "task" | "row_index">
}

/** Turns what happens to a job into its conditions. Memory is flat in what it is told. */
export interface ConditionFinder {
  addError(error: unknown, place?: ErrorPlace): void
  /** A request that failed and is sent again: a condition where that befalls many, whatever comes of them in the end. */
  addRetry(error: unknown): void
  /** A row as it is journalled: its error, answers of judges that can't be read, an answer that was cut. */
  addRow(row: EvaluationRow): void
  /** A line of a log that others write, such as a harness; whether it tells of any. What an error told is not counted again. */
  addLogLine(line: string): boolean
  /** What was found so far, the earliest first; one condition for each code. */
  list(): readonly Condition[]
}

/** Requests that were sent again, in proportion to rows, from which on that is a condition. */
const RETRIED_SHARE = 0.05

/** Of a line that tells of the first, lines after it often speak in general words of the others. */
const SHADOWS: Readonly<Partial<Record<ConditionCode, readonly ConditionCode[]>>> = {
  inference_tls: ["inference_unreachable"],
  gated_dataset: ["gated_repository", "hub_not_found", "storage_auth", "inference_unauthorized"],
  gated_repository: ["hub_not_found", "storage_auth", "inference_unauthorized"],
  hub_not_found: ["storage_auth"],
  quota_exhausted: ["rate_limited"],
  dataset_missing: ["datastore_unreachable"],
}

export function createConditionFinder({ now }: ConditionFinderOptions): ConditionFinder {
  const told = new Map<ConditionCode, ConditionTally>()
  const retried = new Map<ConditionCode, ConditionTally>()
  const written = new Map<ConditionCode, ConditionTally>()
  const judges = createJudgeTally(now)
  const truncation = createTruncationTally(now)
  const empty = createEmptyTally(now)
  let rows = 0

  function add(tallies: Map<ConditionCode, ConditionTally>, finding: Finding, seen: Omit<Seen, "at">): void {
    const tally = tallies.get(finding.code) ?? createConditionTally(finding.code)
    tallies.set(finding.code, tally)
    tally.add(finding, { at: now(), ...seen })
  }

  function addError(error: unknown, { evidence, row }: ErrorPlace = {}): void {
    // The same line as the row's own, so that it is shown once.
    const lines = evidence ?? (row !== undefined && error instanceof Error ? [error.message] : undefined)
    for (const finding of findingsInError(error)) {
      const place = row === undefined ? {} : { place: placeOf(row), isUncounted: true }
      add(told, finding, { ...place, ...(lines === undefined ? {} : { lines }) })
    }
  }

  /** What an error told comes first; of the rest, what is told of in general words only, beside what says it exactly, is not shown. */
  function list(): readonly Condition[] {
    const often = [...retried.values()].filter(
      (tally) => !told.has(tally.code) && tally.count() >= rows * RETRIED_SHARE,
    )
    const known = new Set([...told.values(), ...often].map(({ code }) => code))
    const hidden = new Set([...known, ...written.keys()].flatMap((code) => SHADOWS[code] ?? []))
    const others = [...written.values()].filter(({ code }) => !known.has(code) && !hidden.has(code))
    const all = [
      ...[...told.values()].map((tally) =>
        foundIn(tally, (failed) => (failed === 0 ? "" : `${failed} of ${rows} rows: `)),
      ),
      ...often.map((tally) => foundIn(tally, () => `${sentAgain(tally.count())}, for ${rows} rows: `)),
      ...others.map((tally) =>
        foundIn(tally, () => (tally.count() < 2 ? "" : `${tally.count()} lines of the log tell of it: `)),
      ),
      ...judges.conditions(),
      ...truncation.conditions(),
      ...empty.conditions(),
    ]
    return joinConditions(all.toSorted((a, b) => a.firstSeen - b.firstSeen).map(({ condition }) => condition))
  }

  return {
    addError,
    addRetry(error) {
      const finding = findInError(error)
      if (finding !== undefined) add(retried, finding, {})
    },
    addRow(row) {
      rows += 1
      judges.addRow(row)
      truncation.addRow(row)
      empty.addRow(row)
      const { error } = row
      if (error === null) return
      const known = isConditionCode(error.code) ? { code: error.code, message: error.message } : undefined
      const finding = known ?? findInText(error.message)
      if (finding !== undefined) add(told, finding, { place: placeOf(row), isRow: true })
    },
    addLogLine(line) {
      const finding = findInText(line)
      if (finding !== undefined) add(written, finding, {})
      return finding !== undefined
    },
    list,
  }
}

/** A condition whose message begins with how often it was found; `before` is told how many rows it spoilt. */
function foundIn(tally: ConditionTally, before: (failed: number) => string): Found {
  return { condition: tally.condition((message, failed) => before(failed) + message), firstSeen: tally.firstSeen() }
}

function sentAgain(count: number): string {
  return count === 1 ? "One request was sent again" : `${count} requests were sent again`
}

function placeOf({ task, row_index }: Pick<EvaluationRow, "task" | "row_index">): string {
  return `task '${task}', row ${row_index}`
}

const MAX_EVIDENCE = 5

/** One condition for each code: what was found of the same code elsewhere is told with the first. */
export function joinConditions(conditions: readonly Condition[]): readonly Condition[] {
  return [...Map.groupBy(conditions, ({ code }) => code).values()].map(joinEqual)
}

function joinEqual([first, ...others]: readonly Condition[]): Condition {
  if (first === undefined) throw new TypeError("a group is never empty")
  if (others.length === 0) return first
  const all = [first, ...others]
  // In turn, so that each of them is shown.
  const most = Math.max(...all.map(({ evidence }) => evidence.length))
  const lines = Array.from({ length: most }, (_, at) => all.map(({ evidence }) => evidence[at])).flat()
  return {
    ...first,
    message: [...new Set(all.map(({ message }) => message))].join(" "),
    evidence: [...new Set(lines.filter((line) => line !== undefined))].slice(0, MAX_EVIDENCE),
    remedy: all.map(({ remedy }) => remedy).reduce((a, b) => (a.includes(b) ? a : b.includes(a) ? b : `${a} ${b}`)),
    count: all.reduce((sum, { count }) => sum + count, 0),
    first_seen: all.map(({ first_seen }) => first_seen).toSorted()[0] ?? first.first_seen,
    last_seen:
      all
        .map(({ last_seen }) => last_seen)
        .toSorted()
        .at(-1) ?? first.last_seen,
  }
}

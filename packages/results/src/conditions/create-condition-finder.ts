import type { Condition, ConditionCode, EvaluationRow } from "@assay/schemas"
import { createEmptyTally, createFilterTally, createTruncationTally, type TallyContext } from "./answer-tally.ts"
import { createConditionTally, MAX_EVIDENCE, type ConditionTally, type Found, type Seen } from "./condition-tally.ts"
import {
  type Finding,
  comparePositions,
  type ConditionFindings,
  type ErrorFinding,
  positionsIn,
  type RetryFinding,
  type RowPosition,
} from "./condition-findings.ts"
import { findingsInError, findInError, isConditionCode } from "./find-in-error.ts"
import { findInText } from "./find-in-text.ts"
import { createFindingsKeeper } from "./findings-keeper.ts"
import { createUnreadableTally } from "./unreadable-tally.ts"

export interface ConditionFinderOptions {
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** The tasks of the job in their order. Default: the order of their names. */
  readonly tasks?: readonly string[] | undefined
}

/** Where an error happened. */
export interface ErrorLocation {
  /** The lines of evidence. Default: the message of the error. */
  readonly evidence?: readonly string[]
  /** The row that failed. It is counted when it is added itself. */
  readonly row?: Pick<EvaluationRow, "task" | "row_index"> & Partial<Pick<EvaluationRow, "repeat">>
}

/**
 * Finds the conditions of a job in what happens to it. Its memory does not grow with the number of rows or lines. Rows can be added in any order:
 * a condition shows the first rows that have it, and not those that were answered first.
 */
export interface ConditionFinder {
  addError(error: unknown, location?: ErrorLocation): void
  /** Adds a request that failed and is sent again. This is a condition if it happens often, with any final answers. */
  addRetry(error: unknown, row?: ErrorLocation["row"]): void
  /** Adds a row of the journal: its error, unreadable answers of judges, a truncated or empty answer. */
  addRow(row: EvaluationRow): void
  /** Adds a line of another program's log, such as a harness. Returns whether it shows a condition. Errors win over lines of the same condition. */
  addLogLine(line: string): boolean
  /** Lists the conditions found so far, one for each code, in the order of the first rows that have them. */
  list(): readonly Condition[]
  /** Returns what is in no row, for another finder. */
  findings(): ConditionFindings
  /** Adds what another finder has found and is in no row. */
  addFindings(findings: ConditionFindings): void
}

/** The share of requests sent again, in proportion to rows, from which they are a condition. */
const RETRIED_SHARE = 0.05

/** By condition: others that the lines after it often mention in general words. Those are not findings of their own. */
const SHADOWS: Readonly<Partial<Record<ConditionCode, readonly ConditionCode[]>>> = {
  inference_tls: ["inference_unreachable"],
  gated_dataset: ["gated_repository", "hub_not_found", "storage_auth", "inference_unauthorized"],
  gated_repository: ["hub_not_found", "storage_auth", "inference_unauthorized"],
  hub_not_found: ["storage_auth"],
  quota_exhausted: ["rate_limited"],
  dataset_missing: ["datastore_unreachable"],
}

type Tallies = Map<ConditionCode, ConditionTally>

/** The counts of a job, by the location in which it was found. */
interface CountedConditions {
  readonly inErrors: Tallies
  readonly inRetries: Tallies
  readonly inLines: Tallies
  /** Conditions of answers. */
  readonly ofAnswers: readonly AnswerTally[]
  rows: number
}

interface AnswerTally {
  addRow(row: EvaluationRow): void
  conditions(): readonly Found[]
}

export function createConditionFinder({ now, tasks = [] }: ConditionFinderOptions): ConditionFinder {
  const positionOf = positionsIn(tasks)
  const counted = nothingCounted({ now, positionOf })
  const { inErrors, inLines, ofAnswers } = counted
  const kept = createFindingsKeeper()
  const addOfRow = (found: ErrorFinding): void => {
    kept.add(found)
    const { finding, position, lines } = found
    add(inErrors, finding, { at: now(), position, location: locationOf(position), isUncounted: true, lines })
  }
  const addRetries = (found: RetryFinding): void => {
    kept.addRetry(found)
    add(counted.inRetries, found.finding, { at: now(), position: found.position, times: found.count })
  }

  return {
    addError(error, { evidence, row } = {}) {
      // The same line as the row's own, so that it is shown once.
      const lines = evidence ?? (row !== undefined && error instanceof Error ? [error.message] : undefined)
      for (const finding of findingsInError(error)) {
        if (row === undefined) add(inErrors, finding, { at: now(), lines })
        else addOfRow({ finding, position: positionOf(row), lines })
      }
    },
    addRetry(error, row) {
      const finding = findInError(error)
      if (finding !== undefined) addRetries({ finding, position: row && positionOf(row), count: 1 })
    },
    addRow(row) {
      counted.rows += 1
      for (const tally of ofAnswers) tally.addRow(row)
      const finding = findInRowError(row)
      if (finding === undefined) return
      const position = positionOf(row)
      add(inErrors, finding, { at: now(), position, location: locationOf(position), isRow: true })
    },
    addLogLine(line) {
      const finding = findInText(line)
      if (finding !== undefined) add(inLines, finding, { at: now() })
      return finding !== undefined
    },
    list: () => listConditions(counted),
    findings: kept.list,
    addFindings({ errors, retries }) {
      for (const found of errors) addOfRow(found)
      for (const found of retries) addRetries(found)
    },
  }
}

function nothingCounted(context: TallyContext): CountedConditions {
  const answers = [createUnreadableTally, createTruncationTally, createFilterTally, createEmptyTally]
  return {
    inErrors: new Map(),
    inRetries: new Map(),
    inLines: new Map(),
    ofAnswers: answers.map((create) => create(context)),
    rows: 0,
  }
}

function add(tallies: Tallies, finding: Finding, seen: Seen): void {
  const tally = tallies.get(finding.code) ?? createConditionTally(finding.code)
  tallies.set(finding.code, tally)
  tally.add(finding, seen)
}

function findInRowError({ error }: EvaluationRow): Finding | undefined {
  if (error === null) return undefined
  return isConditionCode(error.code) ? { code: error.code, message: error.message } : findInText(error.message)
}

/** Lists conditions of errors first. A condition that only lines of a log show is left out if another one is its real cause. */
function listConditions({ inErrors, inRetries, inLines, ofAnswers, rows }: CountedConditions): readonly Condition[] {
  const frequent = [...inRetries.values()].filter(
    (tally) => !inErrors.has(tally.code) && tally.count() >= rows * RETRIED_SHARE,
  )
  const known = new Set([...inErrors.values(), ...frequent].map(({ code }) => code))
  const hidden = new Set([...known, ...inLines.keys()].flatMap((code) => SHADOWS[code] ?? []))
  const others = [...inLines.values()].filter(({ code }) => !known.has(code) && !hidden.has(code))
  const all = [
    ...[...inErrors.values()].map((tally) =>
      foundIn(tally, (failed) => (failed === 0 ? "" : `${failed} of ${rows} rows: `)),
    ),
    ...frequent.map((tally) => foundIn(tally, () => `${sentAgain(tally.count())}, for ${rows} rows: `)),
    ...others.map((tally) =>
      foundIn(tally, () => (tally.count() < 2 ? "" : `${tally.count()} lines of the log show it: `)),
    ),
    ...ofAnswers.flatMap((tally) => tally.conditions()),
  ]
  return joinConditions(all.toSorted(compareFound).map(({ condition }) => condition))
}

/** Conditions of rows come first: those of the whole job, in the order in which they were found, are often their consequence. */
function compareFound(a: Found, b: Found): number {
  if (a.position !== undefined && b.position !== undefined) return comparePositions(a.position, b.position)
  if (a.position === undefined && b.position === undefined) return a.firstSeen - b.firstSeen
  return a.position === undefined ? 1 : -1
}

/** Returns a condition whose message begins with its frequency. `before` gets the number of failed rows. */
function foundIn(tally: ConditionTally, before: (failed: number) => string): Found {
  return { condition: tally.condition((message, failed) => before(failed) + message), ...tally.found() }
}

function sentAgain(count: number): string {
  return count === 1 ? "One request was sent again" : `${count} requests were sent again`
}

function locationOf({ task, row }: RowPosition): string {
  return `task '${task}', row ${row}`
}

/** Joins conditions of the same code, so that there is one for each code. */
export function joinConditions(conditions: readonly Condition[]): readonly Condition[] {
  return [...Map.groupBy(conditions, ({ code }) => code).values()].map(joinEqual)
}

function joinEqual([first, ...others]: readonly Condition[]): Condition {
  if (first === undefined) throw new TypeError("a group is never empty")
  if (others.length === 0) return first
  const all = [first, ...others]
  // One line of each in turn, so that all of them are shown.
  const length = Math.max(...all.map(({ evidence }) => evidence.length))
  const lines = Array.from({ length }, (_, at) => all.map(({ evidence }) => evidence[at])).flat()
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

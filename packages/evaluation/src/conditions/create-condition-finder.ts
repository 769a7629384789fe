import { isAssayError, type Condition, type ConditionCode, type EvaluationRow } from "@assay/schemas"
import { createConditionTally, type ConditionTally, type Seen } from "./condition-tally.ts"
import { findInError, isConditionCode } from "./find-in-error.ts"
import { findInText } from "./find-in-text.ts"
import type { Finding } from "./finding.ts"
import { createJudgeTally, type Found } from "./judge-tally.ts"
import { joinConditions } from "./join-conditions.ts"
import { createTruncationTally } from "./truncation-tally.ts"

export interface ConditionFinderOptions {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/** Where an error befell. */
export interface ErrorPlace {
  /** The line that shows it. Default: its message. */
  readonly evidence?: string
  /** The row that it spoilt; that row is counted when it is added itself. */
  readonly row?: Pick<EvaluationRow, "task" | "row_index">
}

/** Turns what happens to a job into its conditions. Memory is flat in what it is told. */
export interface ConditionFinder {
  addError(error: unknown, place?: ErrorPlace): void
  /** A row as it is journalled: its error, answers of judges that can't be read, an answer that was cut. */
  addRow(row: EvaluationRow): void
  /** A line of a log that others write, such as a harness. What an error told already is not counted again. */
  addLogLine(line: string): void
  /** What was found so far, the earliest first; one condition for each code. */
  list(): readonly Condition[]
}

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
  const written = new Map<ConditionCode, ConditionTally>()
  const judges = createJudgeTally(now)
  const truncation = createTruncationTally(now)
  let rows = 0

  function add(tallies: Map<ConditionCode, ConditionTally>, finding: Finding, seen: Omit<Seen, "at">): void {
    const tally = tallies.get(finding.code) ?? createConditionTally(finding.code)
    tallies.set(finding.code, tally)
    tally.add(finding, { at: now(), ...seen })
  }

  function addError(error: unknown, { evidence, row }: ErrorPlace = {}): void {
    for (const finding of findingsIn(error)) {
      const place = row === undefined ? {} : { place: placeOf(row), isUncounted: true }
      add(told, finding, { ...place, ...(evidence === undefined ? {} : { line: evidence }) })
    }
  }

  /** What is told of in general words only, beside what says it exactly, is not shown. */
  function visible(): readonly ConditionTally[] {
    const found = [...told.values(), ...[...written.values()].filter(({ code }) => !told.has(code))]
    const hidden = new Set(found.flatMap(({ code }) => SHADOWS[code] ?? []))
    return found.filter((tally) => told.get(tally.code) === tally || !hidden.has(tally.code))
  }

  function found(tally: ConditionTally): Found {
    const isTold = told.get(tally.code) === tally
    const condition = tally.condition((message, failed) => {
      if (failed > 0) return `${failed} of ${rows} rows: ${message}`
      return isTold || tally.count() < 2 ? message : `${tally.count()} lines of the log tell of it: ${message}`
    })
    return { condition, firstSeen: tally.firstSeen() }
  }

  return {
    addError,
    addRow(row) {
      rows += 1
      judges.addRow(row)
      truncation.addRow(row)
      const { error } = row
      if (error === null) return
      const known = isConditionCode(error.code) ? { code: error.code, message: error.message } : undefined
      const finding = known ?? findInText(error.message)
      if (finding !== undefined) add(told, finding, { place: placeOf(row), isRow: true })
    },
    addLogLine(line) {
      const finding = findInText(line)
      if (finding !== undefined) add(written, finding, {})
    },
    list() {
      const all = [...visible().map(found), ...judges.conditions(), ...truncation.conditions()]
      return joinConditions(
        all.toSorted((a, b) => a.firstSeen - b.firstSeen).map(({ condition }) => condition),
      )
    },
  }
}

/** A launch that was refused is each of the checks that failed. */
function findingsIn(error: unknown): readonly Finding[] {
  const found = findInError(error)
  const own = found === undefined ? [] : [found]
  if (!isAssayError(error, "launch_refused")) return own
  const { failed_checks: checks } = error.context
  return [...own, ...(Array.isArray(checks) ? checks.flatMap(findingOfCheck) : [])]
}

function findingOfCheck(check: unknown): readonly Finding[] {
  const { code, message, remedy } = Object(check) as Readonly<Record<string, unknown>>
  if (typeof code !== "string" || !isConditionCode(code)) return []
  return [{ code, message: String(message), ...(typeof remedy === "string" ? { advice: remedy, isAdviceAll: true } : {}) }]
}

function placeOf({ task, row_index }: Pick<EvaluationRow, "task" | "row_index">): string {
  return `task '${task}', row ${row_index}`
}

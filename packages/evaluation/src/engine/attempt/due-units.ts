import type { EvaluationRow } from "@assay/schemas"
import type { RunnableJob } from "../../plan/runnable-job.ts"
import type { TaskPlan } from "../../plan/task-plan.ts"
import type { BoundMetric } from "@assay/scoring"
import { isFatal } from "../failures.ts"

/** The work of an attempt for a unit that is in the journal: ask it again, score its sample, or nothing. */
export type Due = "nothing" | "answer" | "scores"

/** The number of an attempt, and what it does. Under `sum`, it only counts the rows that are in the journal. */
export interface JobAttempt extends Pick<RunnableJob, "attempt"> {
  readonly scope: RunnableJob["scope"] | { readonly kind: "sum" }
}

/**
 * Returns what an attempt has to do for a row that is in the journal. After a failure of the job itself, such as a refused key, every
 * attempt asks the row again. If a row lacks scores of an added metric because that attempt was stopped, any attempt scores it. A row
 * that this attempt has already done stays as it is, so that a stopped attempt can resume.
 */
export function dueOfLine(row: EvaluationRow, task: TaskPlan, { scope, attempt }: JobAttempt): Due {
  if (scope.kind === "sum") return "nothing"
  if (isIncomplete(row, task)) return "scores"
  if (scope.kind === "score") {
    const isAdded = scope.metrics[row.task] !== undefined
    return isAdded && row.sample !== null && row.attempt < attempt ? "scores" : "nothing"
  }
  if (row.error === null) return "nothing"
  const isRetried = scope.kind === "retry-failed" && row.attempt < attempt
  if (!isRetried && !isFatal(row.error.code)) return "nothing"
  return row.sample === null ? "answer" : "scores"
}

/** Returns whether an answered row lacks the scores of a metric although no metric failed. */
function isIncomplete({ error, sample, scores }: EvaluationRow, { metrics }: TaskPlan): boolean {
  return error === null && sample !== null && metrics.some(({ key }) => scores[key] === undefined)
}

/** Returns the metrics that an attempt has to score for a row. */
export function dueMetrics(row: EvaluationRow, task: TaskPlan, { scope }: JobAttempt): readonly BoundMetric[] {
  if (scope.kind === "score") {
    const added = scope.metrics[task.name] ?? {}
    const isWhole = !isIncomplete(row, task)
    return task.metrics.filter(({ key }) => Object.hasOwn(added, key) || (!isWhole && row.scores[key] === undefined))
  }
  return task.metrics.filter(({ key }) => row.scores[key] === undefined)
}

export interface UnitNote {
  readonly unit: number
  /** The number of its line in the journal, from 0. */
  readonly line: number
  readonly attempt: number
  readonly due: Due
}

/** The units of a task that are in the journal, in 7 bytes each. A unit is one repeat of one row. */
export interface UnitIndex {
  /** Adds a line. Returns whether the unit already had one. The line of the highest attempt counts; if there are several, the last. */
  note(note: UnitNote): boolean
  /** Returns undefined if the unit is not in the journal. */
  due(unit: number): Due | undefined
  /** Returns the attempt of the unit's last line; 0 if it has none. */
  attempt(unit: number): number
  isLastLine(unit: number, line: number): boolean
  /** Returns how many units have a sample that has to be scored. */
  countToScore(): number
}

const DUES: readonly (Due | undefined)[] = [undefined, "nothing", "answer", "scores"]
const SCORES = DUES.indexOf("scores")
const FIRST_CAPACITY = 1024
const HIGHEST_ATTEMPT = 2 ** 16 - 1

export function createUnitIndex(): UnitIndex {
  let dues = new Uint8Array(FIRST_CAPACITY)
  let attempts = new Uint16Array(FIRST_CAPACITY)
  let lines = new Uint32Array(FIRST_CAPACITY)

  const growTo = (length: number): void => {
    const capacity = 2 ** Math.ceil(Math.log2(length))
    const larger = [new Uint8Array(capacity), new Uint16Array(capacity), new Uint32Array(capacity)] as const
    larger[0].set(dues)
    larger[1].set(attempts)
    larger[2].set(lines)
    ;[dues, attempts, lines] = larger
  }
  return {
    note({ unit, line, attempt, due }) {
      if (unit >= dues.length) growTo(unit + 1)
      const isKnown = dues[unit] !== 0
      if (isKnown && attempt < (attempts[unit] ?? 0)) return true
      dues[unit] = DUES.indexOf(due)
      attempts[unit] = Math.min(attempt, HIGHEST_ATTEMPT)
      lines[unit] = line
      return isKnown
    },
    due: (unit) => DUES[dues[unit] ?? 0],
    attempt: (unit) => attempts[unit] ?? 0,
    isLastLine: (unit, line) => unit < dues.length && dues[unit] !== 0 && lines[unit] === line,
    countToScore: () => dues.reduce((count, due) => (due === SCORES ? count + 1 : count), 0),
  }
}

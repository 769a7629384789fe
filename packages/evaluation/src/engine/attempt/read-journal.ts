import type { GateWatch, GateBasis } from "../../gates/gate-watch.ts"
import type { EvaluationRow } from "@assay/schemas"
import type { Journal } from "../../journal/journal.ts"
import type { RunPlanOptions } from "../run-options.ts"
import { factFieldsOf, needsTexts } from "../tally/fact-fields.ts"
import { dueMetrics, dueOfLine, type JobAttempt } from "./due-units.ts"
import { indexOf, resetNumbers, unitOf, type TaskRun } from "./task-run.ts"

/** A line with a higher number is damaged: no dataset has that many rows. */
const HIGHEST_UNIT = 2 ** 31

interface Options extends Pick<RunPlanOptions, "onKept" | "onKeptAnew"> {
  readonly journal: Journal
  readonly runs: ReadonlyMap<string, TaskRun>
  readonly job: JobAttempt
  /** Begins to watch the gates of a task. */
  readonly watchTask: (run: TaskRun, basis: GateBasis) => GateWatch
}

/**
 * Restores the numbers of each task from the journal. One pass is enough if each row has one line. If a row has several lines, the
 * last one counts, so a second pass counts only last lines. No signal stops it: numbers of half a journal would mislead.
 */
export async function readJournal(options: Options): Promise<void> {
  const { runs, job } = options
  const read = readerOf(options)
  let hasSecondLines = false
  await forEachLine(read, runs, (row, line, run) => {
    const { task } = run
    if (row.sample === null) run.unanswered++
    const note = { unit: unitOf(row, task), line, attempt: row.attempt, due: dueOfLine(row, task, job) }
    hasSecondLines = indexOf(run).note(note) || hasSecondLines
    if (!hasSecondLines) keep(row, run, options)
  })
  if (!hasSecondLines) return
  for (const run of runs.values()) {
    resetNumbers(run, job)
    if (run.watch !== undefined) run.watch = options.watchTask(run, run.watch)
  }
  options.onKeptAnew?.()
  await forEachLine(read, runs, (row, line, run) => {
    if (run.index?.isLastLine(unitOf(row, run.task), line) !== true) return
    keep(row, run, options)
  })
}

function keep(row: EvaluationRow, run: TaskRun, { job, onKept }: Options): void {
  const { task, tally, failures, watch } = run
  if (row.sample !== null) run.answered++
  if (dueOfLine(row, task, job) === "nothing") {
    tally.keep(row)
    watch?.add(row)
    onKept?.(row)
    if (row.error !== null) failures.keep(row.error)
  } else tally.keep(row, dueMetrics(row, task, job))
}

/** Returns the function that reads the rows. An attempt that only counts them needs their texts for some metrics alone. */
function readerOf({ journal, runs, job }: Options): () => AsyncIterable<readonly EvaluationRow[]> {
  const tasks = [...runs.values()].map(({ task }) => task)
  if (job.scope.kind !== "sum" || tasks.some(needsTexts)) return () => journal.read()
  const fields = [...new Set(tasks.flatMap(factFieldsOf))]
  return () => journal.readFacts?.(fields) ?? journal.read()
}

async function forEachLine(
  read: () => AsyncIterable<readonly EvaluationRow[]>,
  runs: ReadonlyMap<string, TaskRun>,
  visit: (row: EvaluationRow, line: number, run: TaskRun) => void,
): Promise<void> {
  let line = 0
  for await (const rows of read()) {
    for (const row of rows) {
      const run = runs.get(row.task)
      if (run !== undefined && isUnit(row, run)) visit(row, line, run)
      line++
    }
  }
}

function isUnit(row: EvaluationRow, { task }: TaskRun): boolean {
  return row.row_index >= 0 && row.repeat >= 0 && row.repeat < task.repeats && unitOf(row, task) < HIGHEST_UNIT
}

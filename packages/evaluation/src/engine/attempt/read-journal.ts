import type { EvaluationRow } from "@assay/schemas"
import { dueMetrics, dueOfLine, type Round } from "./due-of-line.ts"
import type { Journal } from "../../journal/journal.ts"
import type { RunPlanOptions } from "../run-options.ts"
import { indexOf, resetNumbers, unitOf, type TaskRun } from "./task-run.ts"

/** Beyond this a line is damaged: so many rows are never met. */
const HIGHEST_UNIT = 2 ** 31

interface Options extends Pick<RunPlanOptions, "onKept" | "onKeptAnew"> {
  readonly journal: Journal
  readonly runs: ReadonlyMap<string, TaskRun>
  readonly round: Round
}

/**
 * Brings runs to where the journal is. One pass over it is enough, until a row turns up for the second time: which of its lines
 * counts is known at the end, and they are counted in another. It is not broken off: numbers of half a journal would mislead.
 */
export async function readJournal(options: Options): Promise<void> {
  const { journal, runs, round } = options
  let hasSecondLines = false
  await forEachLine(journal, runs, (row, line, run) => {
    const { task } = run
    const note = { unit: unitOf(row, task), line, attempt: row.attempt, due: dueOfLine(row, task, round) }
    hasSecondLines = indexOf(run).note(note) || hasSecondLines
    if (!hasSecondLines) keep(row, run, options)
  })
  if (!hasSecondLines) return
  for (const run of runs.values()) resetNumbers(run, round)
  options.onKeptAnew?.()
  await forEachLine(journal, runs, (row, line, run) => {
    if (run.index?.isLastLine(unitOf(row, run.task), line) !== true) return
    keep(row, run, options)
  })
}

function keep(row: EvaluationRow, { task, tally, failures }: TaskRun, { round, onKept }: Options): void {
  if (dueOfLine(row, task, round) === "nothing") {
    tally.keep(row)
    onKept?.(row)
    if (row.error !== null) failures.keep(row.error)
  } else tally.keep(row, dueMetrics(row, task, round))
}

async function forEachLine(
  journal: Journal,
  runs: ReadonlyMap<string, TaskRun>,
  visit: (row: EvaluationRow, line: number, run: TaskRun) => void,
): Promise<void> {
  let line = 0
  for await (const rows of journal.read()) {
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

import type { EvaluationRow } from "@assay/schemas"
import { dueMetrics, dueOfLine, type Round } from "./due-of-line.ts"
import type { Journal } from "./journal.ts"
import { indexOf, resetNumbers, unitOf, type TaskRun } from "./task-run.ts"

/** Beyond this a line is damaged: so many rows are never met. */
const HIGHEST_UNIT = 2 ** 31

interface Options {
  readonly journal: Journal
  readonly runs: ReadonlyMap<string, TaskRun>
  readonly round: Round
}

/**
 * Brings runs to where the journal is. One pass over it is enough, until a row turns up for the second time: which of its lines
 * counts is known at the end, and they are counted in another. It is not broken off: numbers of half a journal would mislead.
 */
export async function readJournal({ journal, runs, round }: Options): Promise<void> {
  let hasSecondLines = false
  await forEachLine(journal, runs, (row, line, run) => {
    const { task } = run
    const unit = unitOf(row, task)
    const due = dueOfLine(row, round)
    const metrics = dueMetrics(row, due, task, round)
    const note = { unit, line, attempt: row.attempt, due: due === "scores" && metrics.length === 0 ? "nothing" : due }
    hasSecondLines = indexOf(run).note(note) || hasSecondLines
    if (!hasSecondLines) keep(row, run, metrics)
  })
  if (!hasSecondLines) return
  for (const run of runs.values()) resetNumbers(run)
  await forEachLine(journal, runs, (row, line, run) => {
    if (run.index?.isLastLine(unitOf(row, run.task), line) !== true) return
    keep(row, run, dueMetrics(row, dueOfLine(row, round), run.task, round))
  })
}

function keep(row: EvaluationRow, run: TaskRun, due: ReturnType<typeof dueMetrics>): void {
  run.tally.keep(row, due)
  if (row.error !== null && due.length === 0) run.failures.note(row.error)
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
      const isKnown = run !== undefined && row.repeat < run.task.repeats && unitOf(row, run.task) < HIGHEST_UNIT
      if (isKnown) visit(row, line, run)
      line++
    }
  }
}

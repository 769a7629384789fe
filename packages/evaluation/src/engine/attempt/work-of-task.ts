import type { EvaluationRow } from "@assay/schemas"
import type { Journal } from "../../journal/journal.ts"
import type { BoundMetric, SourceRow } from "@assay/scoring"
import { dueMetrics, dueOfLine, type JobAttempt } from "./due-units.ts"
import { unitOf, type TaskRun } from "./task-run.ts"

/** One unit of work: a repeat of a row that has to be asked, scored or both. */
export interface Work {
  readonly row: SourceRow
  readonly repeat: number
  readonly attempt: number
  /** The metrics to score. */
  readonly due: readonly BoundMetric[]
  /** Whether it failed in an earlier attempt. */
  readonly hadError: boolean
  /** The line with the sample to score. Absent: the row has to be asked. */
  readonly line?: EvaluationRow
}

interface Options {
  readonly run: TaskRun
  readonly journal: Journal
  readonly job: JobAttempt
  readonly signal: AbortSignal
}

/** Yields the work of an attempt for a task, in batches: first samples that lack scores, then rows that have to be asked. */
export async function* workOfTask(options: Options): AsyncGenerator<Iterable<Work>, void> {
  if ((options.run.index?.countToScore() ?? 0) > 0) yield* workOfLines(options)
  const { kind } = options.job.scope
  if (kind === "run" || kind === "retry-failed") yield* workOfRows(options)
}

async function* workOfLines({ run, journal, job, signal }: Options): AsyncGenerator<readonly Work[], void> {
  const { task, index } = run
  let line = 0
  for await (const rows of journal.read(signal)) {
    const batch: Work[] = []
    for (const row of rows) {
      const position = line++
      if (row.task !== task.name || row.repeat >= task.repeats) continue
      if (index?.isLastLine(unitOf(row, task), position) !== true || dueOfLine(row, task, job) !== "scores") continue
      const due = dueMetrics(row, task, job)
      const source = { index: row.row_index, item: row.item }
      const attempt = Math.max(job.attempt, row.attempt + 1)
      batch.push({ row: source, repeat: row.repeat, attempt, due, hadError: row.error !== null, line: row })
    }
    if (batch.length > 0) yield batch
  }
}

/** Yields the rows that have to be asked. After the last one, the number of rows is known. */
async function* workOfRows({ run, job, signal }: Options): AsyncGenerator<Iterable<Work>, void> {
  const { task, index } = run
  let rowCount = 0
  for await (const rows of task.rows.open(signal)) {
    rowCount += rows.length
    yield workOf(rows)
  }
  run.total = rowCount * task.repeats

  function* workOf(rows: readonly Work["row"][]): Generator<Work, void> {
    for (const row of rows) {
      for (let repeat = 0; repeat < task.repeats; repeat++) {
        const unit = row.index * task.repeats + repeat
        const due = index?.due(unit)
        if (due !== undefined && due !== "answer") continue
        const hadError = due === "answer"
        const attempt = hadError ? Math.max(job.attempt, (index?.attempt(unit) ?? 0) + 1) : job.attempt
        yield { row, repeat, attempt, due: task.metrics, hadError }
      }
    }
  }
}

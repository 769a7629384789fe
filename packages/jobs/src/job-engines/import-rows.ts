import type { Journal } from "@assay/evaluation"
import { readRows, rowOrder } from "@assay/results"
import type { EvaluationRow } from "@assay/schemas"
import { readRecords, readSegments, readUnfinishedRows } from "@assay/local"
import { laneTasks, type ShardPlan, listDone, type ShardRecord, type RunStore } from "@assay/executors"

export interface ImportRowsOptions {
  /** The tasks of the job, in their order. */
  readonly tasks: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Makes the rows of a run rows of a job: those that shards have published, and those that other shards have stored so far. Returns the records of
 * the shards whose rows are published. @throws `content_damaged`; the errors of the storage
 */
export async function importRun(
  journal: Journal,
  { store, shards }: { readonly store: RunStore; readonly shards: ShardPlan },
  options: ImportRowsOptions,
): Promise<readonly ShardRecord[]> {
  const done = await listDone(store)
  if (done.length < shards.shards.length) {
    await importRows(journal, readUnfinishedRows(store, shards, { ...options, done }), options)
  }
  // Last, and listed again: a shard can have published its rows meanwhile, and these count.
  const records = await readRecords(store, await listDone(store))
  const { tasks } = options
  await importRows(
    journal,
    readSegments(store, { records, tasks, lanes: laneTasks(shards) }).read(options.signal),
    options,
  )
  return records
}

/**
 * Adds rows of shards, which are in the order of tasks and rows, to the journal of a job. A line that the journal has already is not added again: an
 * earlier runner began to add them, the job was cancelled before, or a shard has asked its failed rows again. Of a row with several lines the last one
 * counts. Memory: see `rowOrder.sortLines`. @throws the errors of `found`
 */
async function importRows(
  journal: Journal,
  found: AsyncIterable<readonly EvaluationRow[]>,
  { tasks, signal }: ImportRowsOptions,
): Promise<void> {
  const compare = orderOf(tasks)
  const known = knownLines(journal, { tasks, signal }, compare)
  try {
    for await (const rows of found) {
      for (const row of rows) {
        if (!(await known.has(row))) journal.append(row)
      }
      await (journal.drained?.() ?? journal.flush())
    }
  } finally {
    await known.close()
  }
  await journal.flush()
}

type Compare = (a: EvaluationRow, b: EvaluationRow) => number

/** Compares rows by their tasks, numbers and repeats. */
function orderOf(tasks: readonly string[]): Compare {
  const positions = new Map(tasks.map((task, at) => [task, at]))
  const positionOf = ({ task }: EvaluationRow) => positions.get(task) ?? tasks.length
  return (a, b) => positionOf(a) - positionOf(b) || a.row_index - b.row_index || a.repeat - b.repeat
}

interface KnownLines {
  /** Returns whether the journal has this line. Rows are asked for in their order. */
  has(row: EvaluationRow): Promise<boolean>
  close(): Promise<void>
}

/** Reads the lines of a journal in the order of their rows, and keeps those of one row. Lines that are appended meanwhile are of rows before it. */
function knownLines(journal: Journal, { tasks, signal }: ImportRowsOptions, compare: Compare): KnownLines {
  const rows = eachRow(rowOrder.sortLines(journal, { tasks, isOnly: true, lines: "all", signal }))
  // The line after those that are kept.
  let next: Promise<IteratorResult<EvaluationRow, undefined>> | undefined
  let at: EvaluationRow | undefined
  let lines = new Set<string>()
  return {
    async has(row) {
      if (at === undefined || compare(at, row) !== 0) lines = new Set()
      at = row
      for (;;) {
        const { value: known } = await (next ??= rows.next())
        if (known === undefined || compare(known, row) > 0) return lines.has(JSON.stringify(row))
        if (compare(known, row) === 0) lines.add(JSON.stringify(known))
        next = undefined
      }
    },
    close: async () => void (await rows.return(undefined)),
  }
}

async function* eachRow(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<EvaluationRow, undefined> {
  for await (const batch of readRows(buffers(pieces))) yield* batch
  return undefined
}

async function* buffers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

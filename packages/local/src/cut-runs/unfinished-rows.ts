import type { EvaluationRow } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { readRows, rowOrder } from "@assay/results"
import type { StoredFile } from "@assay/storage"
import { isLane, type TaskRange, type ShardPlan, listFiles, type RunStore, shardOfFile } from "@assay/executors"
import { orderOfLane } from "./shard-tasks.ts"

export interface UnfinishedRowsOptions {
  /** The shards whose rows are published: theirs are in segments. */
  readonly done: readonly number[]
  /** The tasks of the job, in their order. */
  readonly tasks: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Reads the rows that shards have stored and not published, in the order of tasks and rows. Their processes can still run: what they add from now on
 * is left out, and so are the rows of a shard that publishes them meanwhile. @throws the errors of the storage
 */
export async function* readUnfinishedRows(
  store: RunStore,
  plan: Pick<ShardPlan, "id" | "shards">,
  { done, tasks, signal }: UnfinishedRowsOptions,
): AsyncGenerator<readonly EvaluationRow[], void> {
  const published = new Set(done)
  // The sizes are those of one moment: lines must not move between the two passes over them.
  const files = Map.groupBy(await listFiles(store, "rows/", signal), ({ path }) => shardOfFile(path))
  for (const task of tasks) {
    const shards = [...plan.shards.entries()].flatMap(([index, ranges]) => {
      const own = published.has(index) ? undefined : files.get(index)?.filter(({ path }) => path.endsWith(".jsonl"))
      const range = ranges.find((one) => one.task === task)
      if (own === undefined || range === undefined) return []
      return [{ isLane: isLane(range), rows: rowsOfRange(store, own, { range, plan, signal }) }]
    })
    if (shards.some((one) => one.isLane)) yield* mergeRows(shards.map(({ rows }) => rows))
    else for (const { rows } of shards) yield* rows
  }
}

/** Merges rows of shards that are in the order of rows. At most as many have rows as run at the same time, so all of them are compared. */
async function* mergeRows(
  shards: readonly AsyncGenerator<readonly EvaluationRow[], void>[],
): AsyncGenerator<readonly EvaluationRow[], void> {
  const cursors = shards.map((rows) => ({ rows: eachRow(rows), row: undefined as EvaluationRow | undefined }))
  for (const cursor of cursors) cursor.row = (await cursor.rows.next()).value
  for (;;) {
    let first: (typeof cursors)[number] | undefined
    for (const one of cursors)
      if (one.row !== undefined && (first?.row === undefined || isBefore(one.row, first.row))) first = one
    if (first?.row === undefined) return
    yield [first.row]
    first.row = (await first.rows.next()).value
  }
}

function isBefore(a: EvaluationRow, b: EvaluationRow): boolean {
  return (a.row_index - b.row_index || a.repeat - b.repeat) < 0
}

async function* eachRow(batches: AsyncIterable<readonly EvaluationRow[]>): AsyncGenerator<EvaluationRow, undefined> {
  for await (const rows of batches) yield* rows
  return undefined
}

interface RangeOptions {
  readonly range: TaskRange
  readonly plan: Pick<ShardPlan, "id" | "shards">
  readonly signal: AbortSignal
}

async function* rowsOfRange(
  store: RunStore,
  files: readonly StoredFile[],
  { range, plan, signal }: RangeOptions,
): AsyncGenerator<readonly EvaluationRow[], void> {
  const reader = { bytes: () => bytesOf(store, files, signal) }
  const { task, repeats } = range
  const order = isLane(range) ? orderOfLane(plan, range) : undefined
  const isInRange = (row: number) =>
    isLane(range) ? order?.positionOf(row) !== undefined : row >= range.firstRow && row < range.endRow
  // Others can write into a run: a row of another shard would count twice.
  const isOwn = ({ row_index, repeat }: EvaluationRow) => isInRange(row_index) && repeat >= 0 && repeat < repeats
  try {
    for await (const piece of rowOrder.sortLines(reader, { tasks: [task], isOnly: true, lines: "attempts", signal })) {
      for await (const rows of readRows(oneOf(Buffer.from(piece)))) yield rows.filter(isOwn)
    }
  } catch (error) {
    // The shard has published its rows, and removed these.
    if (!isAssayError(error, "not_found")) throw error
  }
}

const LINE_END = Buffer.from("\n")

async function* bytesOf(
  { storage }: RunStore,
  files: readonly StoredFile[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  for (const { path, size } of files) {
    if (size === 0) continue
    const { bytes } = await storage.read(path, { range: { kind: "from", start: 0, end: size - 1 }, signal })
    yield* bytes
    // A process that was killed leaves half a line, which must not be joined with the line of another file.
    yield LINE_END
  }
}

async function* oneOf(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes
}

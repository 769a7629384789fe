import type { EvaluationRow } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { readRows, rowOrder } from "@assay/results"
import type { StoredFile } from "@assay/storage"
import type { ShardPlan, TaskRange } from "./shard-plan.ts"
import { listFiles, type RunStore, shardOfFile } from "./store/run-store.ts"

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
  plan: Pick<ShardPlan, "shards">,
  { done, tasks, signal }: UnfinishedRowsOptions,
): AsyncGenerator<readonly EvaluationRow[], void> {
  const published = new Set(done)
  // The sizes are those of one moment: lines must not move between the two passes over them.
  const files = Map.groupBy(await listFiles(store, "rows/", signal), ({ path }) => shardOfFile(path))
  for (const task of tasks) {
    for (const [index, ranges] of plan.shards.entries()) {
      const own = published.has(index) ? undefined : files.get(index)?.filter(({ path }) => path.endsWith(".jsonl"))
      const range = ranges.find((one) => one.task === task)
      if (own !== undefined && range !== undefined) yield* rowsOfRange(store, own, { range, signal })
    }
  }
}

interface RangeOptions {
  readonly range: TaskRange
  readonly signal: AbortSignal
}

async function* rowsOfRange(
  store: RunStore,
  files: readonly StoredFile[],
  { range, signal }: RangeOptions,
): AsyncGenerator<readonly EvaluationRow[], void> {
  const reader = { bytes: () => bytesOf(store, files, signal) }
  const { task, firstRow, endRow, repeats } = range
  // Others can write into a run: a row of another shard would count twice.
  const isOwn = ({ row_index, repeat }: EvaluationRow) =>
    row_index >= firstRow && row_index < endRow && repeat >= 0 && repeat < repeats
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

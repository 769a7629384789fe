import type { TaskShape } from "@assay/evaluation"
import { FIRST_ROWS, limitsOf, type SeenDataset } from "./check-datasets.ts"

/** How many rows a task reads, as far as it can be told from the beginning of its dataset. */
export interface RowCount {
  /** Null if only reading the whole dataset would tell. */
  readonly rows: number | null
  /** About so many, from the sizes of the files. Null if nothing says it. */
  readonly about: number | null
  /** Null without a limit. */
  readonly max: number | null
}

/** Counts the rows of a task. They are known if the checks have seen the end of its dataset, or have counted its rows. */
export function countRows({ rows, run }: TaskShape, seen: readonly SeenDataset[]): RowCount {
  const max = run.limit ?? Infinity
  if (rows.kind === "rows") return exactly(Math.min(rows.rows.length, max))
  const key = JSON.stringify(rows.dataset)
  const found = seen.find(({ dataset }) => JSON.stringify(dataset) === key)
  const own = Math.min(max, limitsOf(rows.dataset).limit ?? Infinity)
  if (found !== undefined && found.rows.length < FIRST_ROWS) return exactly(Math.min(found.rows.length, own))
  if (found?.total !== undefined) return exactly(Math.min(found.total, own))
  const about = found === undefined ? undefined : rowsBySize(found)
  const limit = Number.isFinite(own) ? own : null
  return { rows: null, about: about === undefined ? null : Math.min(about, own), max: limit }
}

function exactly(rows: number): RowCount {
  return { rows, about: rows, max: rows }
}

/** Returns undefined for files whose rows have no place in bytes, such as Parquet and compressed files. */
function rowsBySize({ rows, opened: { paths, pin } }: SeenDataset): number | undefined {
  const last = rows.findLast(({ path }) => path === rows[0]?.path)?.row
  const isPlain = paths.every((path) => /\.(?:jsonl|ndjson|csv|tsv)$/iu.test(path))
  if (!isPlain || last === undefined || last.offset === null || last.offset <= 0 || last.row_index <= 0)
    return undefined
  const read = new Set<string>(paths)
  const bytes = pin.files.reduce((sum, { path, size }) => sum + (read.has(path) ? size : 0), 0)
  return Math.max(rows.length, Math.round(bytes / (last.offset / last.row_index)))
}

import type { EvaluationRow } from "@assay/schemas"
import { createRowValues } from "@assay/metrics"

type ReadAll = (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>

export interface LatestRowsOptions {
  readonly tasks: readonly string[]
  /** Whether all repeats of a row are read, or only the first. */
  readonly repeats: "all" | "first"
}

/**
 * Reads each row and repeat of some tasks once, with its last attempt. It reads the whole journal twice and keeps 8 bytes for
 * each row and repeat.
 */
export async function* readLatestRows(
  readAll: ReadAll,
  { tasks, repeats }: LatestRowsOptions,
  signal?: AbortSignal,
): AsyncGenerator<EvaluationRow, void, undefined> {
  const attempts = new Map(tasks.map((task) => [task, createRowValues()]))
  const attemptsOf = ({ task, repeat }: EvaluationRow) =>
    repeats === "all" || repeat === 0 ? attempts.get(task) : undefined
  for await (const rows of readAll(signal)) {
    for (const row of rows) attemptsOf(row)?.set(row.row_index, row.repeat, row.attempt)
  }
  for await (const rows of readAll(signal)) {
    for (const row of rows) if (attemptsOf(row)?.get(row.row_index, row.repeat) === row.attempt) yield row
  }
}

export interface RowReference {
  readonly task: string
  readonly row: number
  readonly repeat: number
}

export interface ReadRowsAtOptions {
  /** The highest attempt of any row. If it is 1, no row is replaced later, and reading stops after the last wanted row. */
  readonly attempts: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the last attempt of the rows at these references and returns them in the order of the references. It reads all rows and
 * keeps only these.
 */
export async function readRowsAt(
  readAll: ReadAll,
  references: readonly RowReference[],
  { attempts, signal }: ReadRowsAtOptions,
): Promise<readonly (EvaluationRow | undefined)[]> {
  const found = new Map<string, EvaluationRow>()
  const wanted = new Set(references.map(keyOf))
  const numbers = new Set(references.map(({ row }) => row))
  if (wanted.size === 0) return []
  for await (const batch of readAll(signal)) {
    signal?.throwIfAborted()
    for (const row of batch) {
      if (!numbers.has(row.row_index)) continue
      const key = keyOf({ task: row.task, row: row.row_index, repeat: row.repeat })
      if (wanted.has(key)) found.set(key, row)
    }
    if (attempts === 1 && found.size === wanted.size) break
  }
  return references.map((reference) => found.get(keyOf(reference)))
}

function keyOf({ task, row, repeat }: RowReference): string {
  return `${row} ${repeat} ${task}`
}

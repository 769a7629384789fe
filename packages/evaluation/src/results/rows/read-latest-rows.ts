import type { EvaluationRow } from "@assay/schemas"
import { createRowValues } from "./row-values.ts"

type ReadAll = (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>

/**
 * Reads each row of a task once: the last attempt of its first repeat. It reads the whole journal twice and keeps 8 bytes
 * for each row.
 */
export async function* readLatestRows(
  readAll: ReadAll,
  task: string,
  signal?: AbortSignal,
): AsyncGenerator<EvaluationRow, void, undefined> {
  const attempts = createRowValues()
  const isMeant = (row: EvaluationRow) => row.task === task && row.repeat === 0
  for await (const rows of readAll(signal)) {
    for (const row of rows) if (isMeant(row)) attempts.set(row.row_index, 0, row.attempt)
  }
  for await (const rows of readAll(signal)) {
    for (const row of rows) if (isMeant(row) && attempts.get(row.row_index, 0) === row.attempt) yield row
  }
}

export interface RowPlace {
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
 * Reads the last attempt of the rows at these places and returns them in the order of the places. It reads all rows and
 * keeps only these.
 */
export async function readRowsAt(
  readAll: ReadAll,
  places: readonly RowPlace[],
  { attempts, signal }: ReadRowsAtOptions,
): Promise<readonly (EvaluationRow | undefined)[]> {
  const found = new Map<string, EvaluationRow>()
  const wanted = new Set(places.map(keyOf))
  const numbers = new Set(places.map(({ row }) => row))
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
  return places.map((place) => found.get(keyOf(place)))
}

function keyOf({ task, row, repeat }: RowPlace): string {
  return `${row} ${repeat} ${task}`
}

import type { EvaluationRow } from "@assay/schemas"

export interface RowPlace {
  readonly task: string
  readonly row: number
  readonly repeat: number
}

export interface ReadRowsAtOptions {
  /** The highest attempt of any row: with 1, nothing later replaces a row, and reading ends with the last one that is wanted. */
  readonly rounds: number
  readonly signal?: AbortSignal | undefined
}

/** The rows at these places in their last attempt, in the order of the places: reads all rows, keeps only these. */
export async function readRowsAt(
  readAll: (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>,
  places: readonly RowPlace[],
  { rounds, signal }: ReadRowsAtOptions,
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
    if (rounds === 1 && found.size === wanted.size) break
  }
  return places.map((place) => found.get(keyOf(place)))
}

function keyOf({ task, row, repeat }: RowPlace): string {
  return `${row} ${repeat} ${task}`
}

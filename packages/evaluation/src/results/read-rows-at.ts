import type { EvaluationRow } from "@assay/schemas"

export interface RowPlace {
  readonly task: string
  readonly row: number
  readonly repeat: number
}

export function placeKey({ task, row, repeat }: RowPlace): string {
  return `${row} ${repeat} ${task}`
}

/** The rows at these places in their last attempt, by {@link placeKey}. Reads all rows, keeps only these. */
export async function readRowsAt(
  readAll: (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>,
  places: readonly RowPlace[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, EvaluationRow>> {
  const found = new Map<string, EvaluationRow>()
  const wanted = new Set(places.map(placeKey))
  if (wanted.size === 0) return found
  for await (const batch of readAll(signal)) {
    signal?.throwIfAborted()
    for (const row of batch) {
      const key = placeKey({ task: row.task, row: row.row_index, repeat: row.repeat })
      if (wanted.has(key)) found.set(key, row)
    }
  }
  return found
}

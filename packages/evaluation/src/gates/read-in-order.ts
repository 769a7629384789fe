import type { RowSource, SourceRow } from "@assay/scoring"
import type { RowOrder } from "./open-row-order.ts"

/** Rows of the first pass over the dataset. Most gates are decided by then. */
const FIRST_ROWS = 256
const MAX_ROWS = 8192
/** Maximum number of characters, as JSON, of the rows of one pass. */
const MAX_CHARACTERS = 64 * 1024 * 1024
const BATCH = 256

/**
 * Returns the same rows in the given order. Datasets can only be read from the beginning, so each pass over them takes the rows that come
 * next, twice as many as the pass before.
 */
export function readInOrder(
  { open, count }: RowSource,
  getOrder: (signal: AbortSignal) => Promise<RowOrder>,
): RowSource {
  async function* read(signal: AbortSignal): AsyncGenerator<readonly SourceRow[], void> {
    const order = await getOrder(signal)
    let size = FIRST_ROWS
    for (let first = 0; first < order.total;) {
      const { rows, end } = await takeRows(open(signal), order, { first, end: Math.min(first + size, order.total) })
      for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH)
      first = end
      size = Math.min(size * 2, MAX_ROWS)
    }
  }
  return { open: read, count }
}

/** Takes the rows at these positions, or the first of them if all are too large. */
async function takeRows(
  batches: AsyncIterable<readonly SourceRow[]>,
  order: RowOrder,
  positions: { readonly first: number; readonly end: number },
): Promise<{ readonly rows: readonly SourceRow[]; readonly end: number }> {
  const { first } = positions
  let { end } = positions
  const taken: ({ readonly row: SourceRow; readonly size: number } | undefined)[] = []
  let characters = 0
  let missing = end - first
  for await (const batch of batches) {
    for (const row of batch) {
      const position = order.positionOf(row.index)
      if (position === undefined || position < first || position >= end) continue
      const size = JSON.stringify(row.item).length
      taken[position - first] = { row, size }
      characters += size
      missing--
      while (characters > MAX_CHARACTERS && end > first + 1) {
        end--
        const dropped = taken[end - first]
        if (dropped === undefined) missing--
        characters -= dropped?.size ?? 0
        taken.length = Math.min(taken.length, end - first)
      }
    }
    if (missing === 0) break
  }
  // Rows are missing if the dataset has become shorter since they were counted.
  return { rows: taken.flatMap((one) => (one === undefined ? [] : [one.row])), end }
}

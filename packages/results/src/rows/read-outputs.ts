import type { EvaluationRow } from "@assay/schemas"
import { type RowsReader, readRows } from "./read-rows.ts"
import { rowsInOrder } from "./rows-in-order.ts"

/** A row of a job with its last attempt of each repeat. */
export interface StoredOutputs {
  readonly row_index: number
  readonly item: EvaluationRow["item"]
  /** By repeat. Undefined: that repeat was not asked. */
  readonly repeats: readonly (EvaluationRow | undefined)[]
}

/**
 * Reads the rows of a task in their order, in batches, each with the last attempt of all its repeats. Memory: at most about 70 bytes for each line,
 * and a few MiB.
 */
export async function* readOutputs(
  reader: Pick<RowsReader, "bytes" | "slice">,
  task: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly StoredOutputs[], void> {
  const lines = rowsInOrder(reader, { tasks: [task], isOnly: true, lines: "attempts", signal })
  let last: Growing | undefined
  for await (const rows of readRows(piecesOf(lines))) {
    const whole: Growing[] = []
    for (const row of rows) {
      if (last?.row_index !== row.row_index) {
        if (last !== undefined) whole.push(last)
        last = { row_index: row.row_index, item: row.item, repeats: [] }
      }
      // Attempts come in their order, so that the last one stays.
      last.repeats[row.repeat] = row
    }
    if (whole.length > 0) yield whole
  }
  if (last !== undefined) yield [last]
}

type Growing = Omit<StoredOutputs, "repeats"> & { readonly repeats: (EvaluationRow | undefined)[] }

async function* piecesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  for await (const { buffer, byteOffset, byteLength } of pieces) yield Buffer.from(buffer, byteOffset, byteLength)
}

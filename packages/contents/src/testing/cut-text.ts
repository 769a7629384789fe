import { createNumberFinder } from "@assay/json"
import { createBufferPool } from "../bytes/pieces.ts"
import { COMMAS, TABS } from "../formats/csv/csv-dialect.ts"
import { cutBytes, type CutRowsOptions } from "../reading/cut-rows.ts"
import { rowsOfCut } from "../reading/open-rows.ts"
import type { RowHead } from "../rows/row-block.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns } from "../schemas/column-types.ts"
import { piecesOf } from "./overwritten-pieces.ts"

const HEADS = {
  lines: { encoding: "lines" },
  json: { encoding: "json", shape: null },
  csv: { encoding: "csv", dialect: COMMAS, columns: null },
  tsv: { encoding: "csv", dialect: TABS, columns: null },
} as const satisfies Record<string, RowHead>

export interface CutTextOptions extends CutRowsOptions {
  readonly sizes?: readonly number[] | undefined
  readonly bufferBytes?: number | undefined
}

/**
 * Returns the rows of `text`, as the scanners, the cutter and the readers find them together. The form of the text is given, because its
 * detection would join the first pieces.
 */
export async function cutText(
  text: string | Uint8Array,
  encoding: keyof typeof HEADS,
  { sizes = [1], bufferBytes = 16, ...options }: CutTextOptions = {},
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const pieces = piecesOf(Buffer.from(text as string), sizes)
  const from = { head: HEADS[encoding], rowIndex: HEADS[encoding].encoding === "csv" ? -1 : 0, line: 1, offset: 0 }
  const format = { encoding, compression: null }
  for await (const cut of cutBytes(pieces, format, { buffers: createBufferPool(bufferBytes), from, ...options })) {
    rows.push(...rowsOfCut(cut, { typesOf: anyColumns, kept: "text", finder: createNumberFinder() }))
  }
  return rows
}

import { createNumberFinder } from "@assay/schemas/numbers"
import { createBufferPool } from "../bytes/pieces.ts"
import { cutRows, type CutRowsOptions, type TextEncoding } from "../reading/cut-rows.ts"
import { rowsOfCut } from "../reading/open-rows.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns } from "../schemas/column-types.ts"
import { piecesOf } from "./pieces.ts"

export interface CutTextOptions extends CutRowsOptions {
  readonly sizes?: readonly number[] | undefined
  readonly bufferBytes?: number | undefined
}

/** Returns the rows of `text`, as the scanners, the cutter and the readers find them together. */
export async function cutText(
  text: string | Uint8Array,
  encoding: TextEncoding,
  { sizes = [1], bufferBytes = 16, ...options }: CutTextOptions = {},
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const pieces = piecesOf(Buffer.from(text as string), sizes)
  for await (const cut of cutRows(pieces, encoding, { buffers: createBufferPool(bufferBytes), ...options })) {
    rows.push(...rowsOfCut(cut, { typesOf: anyColumns, kept: "text", finder: createNumberFinder() }))
  }
  return rows
}

import { createNumberFinder, parseJsonExactly, type EvaluationRow } from "@assay/schemas"

const NEWLINE = 10

/** The rows of JSON lines, in a batch per piece of bytes. What is no row, or stands behind the last line's end, is passed over. */
export async function* readRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly EvaluationRow[], void> {
  let rest: Buffer[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE)
    if (end === -1) {
      rest.push(piece)
      continue
    }
    const whole = piece.subarray(0, end)
    const bytes = rest.length === 0 ? whole : Buffer.concat([...rest, whole])
    rest = end + 1 < piece.length ? [piece.subarray(end + 1)] : []
    const rows: EvaluationRow[] = []
    // Most journals hold no number that JavaScript's don't keep.
    const parse = createNumberFinder(bytes, "text")(0) < bytes.length ? parseJsonExactly : JSON.parse
    for (const line of bytes.toString().split("\n")) {
      const row = parseRow(line, parse)
      if (row !== undefined) rows.push(row)
    }
    if (rows.length > 0) yield rows
  }
}

/** The numbers of a row are as they were in its dataset. */
function parseRow(line: string, parse: (text: string) => unknown): EvaluationRow | undefined {
  try {
    const row = parse(line) as Partial<EvaluationRow> | null
    const isWhole =
      typeof row?.task === "string" &&
      Number.isSafeInteger(row.row_index) &&
      Number.isSafeInteger(row.repeat) &&
      Number.isSafeInteger(row.attempt) &&
      typeof row.scores === "object"
    return isWhole ? (row as EvaluationRow) : undefined
  } catch {
    return undefined
  }
}

import { createRandom } from "@assay/metrics"
import { AssayError } from "@assay/schemas"
import type { RowSource, SourceRow } from "@assay/scoring"

/** All rows are in memory while models meet on them. */
const MAX_ROWS = 100_000

/** Reads the rows of a dataset, and puts them in the random order of a seed. @throws `rows_invalid` without a row, and for more than 100,000 */
export async function drawRows(source: RowSource, seed: number, signal: AbortSignal): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const batch of source.open(signal)) {
    rows.push(...batch.filter(({ fault }) => fault === undefined))
    if (rows.length > MAX_ROWS) {
      throw new AssayError("rows_invalid", `The dataset of an arena has at most ${MAX_ROWS} rows; give fewer.`)
    }
  }
  if (rows.length === 0) throw new AssayError("rows_invalid", "The dataset of the arena has no row that can be used.")
  const random = createRandom(seed)
  for (let at = rows.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [rows[at], rows[other]]
    if (one !== undefined && two !== undefined) [rows[at], rows[other]] = [two, one]
  }
  return rows
}

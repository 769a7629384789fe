import { formatInteger } from "@assay/reports"
import { rowOrder } from "@assay/results"
import { AssayError } from "@assay/schemas"
import type { RowSource } from "@assay/scoring"

export type RowOrder = ReturnType<typeof rowOrder.create>

/** An order takes four bytes a row, and the tests of gates about thirty more. */
const MAX_ROWS = 1_000_000

/** Counts the rows of a task and puts them in order. @throws `invalid_request` if there are more than a million; the errors of `count` */
export async function openRowOrder(
  { count }: Pick<RowSource, "count">,
  seed: number,
  signal: AbortSignal,
): Promise<RowOrder> {
  const total = await count(signal)
  if (total > MAX_ROWS) {
    const most = formatInteger(MAX_ROWS)
    const message = `Early gates and budgets need rows in random order, which is possible for ${most} rows and not for ${formatInteger(total)}; set limit_samples.`
    throw new AssayError("invalid_request", message)
  }
  return rowOrder.create(total, seed)
}

import { hash } from "node:crypto"
import { createRandom } from "@assay/metrics"
import { AssayError } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import type { RowSource } from "@assay/scoring"

/** A random order of the rows of a task. Each order is equally likely, and nobody can choose it. */
export interface RowOrder {
  readonly seed: number
  /** Number of rows. */
  readonly total: number
  /** Returns the position of a row in the order, from 0; undefined for a row that is not in it. */
  positionOf(row: number): number | undefined
}

/** An order takes four bytes a row, and the tests of gates about thirty more. */
const MAX_ROWS = 1_000_000

/** Returns the seed of a job's order, which is the same in each attempt. */
export function orderSeed(job: string): number {
  return Number.parseInt(hash("sha256", job, "hex").slice(0, 8), 16)
}

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
  return createRowOrder(total, seed)
}

/** Puts `total` rows in the random order of a seed. */
export function createRowOrder(total: number, seed: number): RowOrder {
  const positions = Uint32Array.from({ length: total }, (_, at) => at)
  const random = createRandom(seed)
  for (let at = total - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const position = positions[at] ?? 0
    positions[at] = positions[other] ?? 0
    positions[other] = position
  }
  return { seed, total, positionOf: (row) => positions[row] }
}

import { hash } from "node:crypto"
import { createRandom } from "@assay/metrics"
import { mergeLines } from "./merge-lines.ts"
import { rowsInOrder } from "./rows-in-order.ts"

/** A random order of the rows of a task. Each order is equally likely, and nobody can choose it. */
export interface RowOrder {
  readonly seed: number
  /** Number of rows. */
  readonly total: number
  /** Returns the position of a row in the order, from 0; undefined for a row that is not in it. */
  positionOf(row: number): number | undefined
}

/** Returns the seed of a job's order, which is the same in each attempt. */
function orderSeed(job: string): number {
  return Number.parseInt(hash("sha256", job, "hex").slice(0, 8), 16)
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

/** The orders of a job's rows: a random one, and that of their tasks and numbers. */
export const rowOrder = Object.freeze({ create: createRowOrder, seedOf: orderSeed, sortLines: rowsInOrder, mergeLines })

import type { DatasetMetadata } from "@assay/schemas"
import { move, transferableSymbol, valueSymbol, workerData } from "piscina"
import { createRowCheckers } from "../schemas/create-row-checkers.ts"
import type { BlockTask } from "./block-checker.ts"
import { checkBlock } from "./check-block.ts"
import type { RowTally } from "./row-tally.ts"

export interface CheckedBlock {
  readonly tally: RowTally
  /** Of the block, on their way back. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

// The whole of a thread: what it keeps between tasks lives here.
const checkers = createRowCheckers(workerData as DatasetMetadata)

/** What the threads of `createThreadedChecker` run. */
export function checkTask({ path, block, maxIssues }: BlockTask): CheckedBlock {
  const { bytes } = block
  const answer: CheckedBlock = { tally: checkBlock(block, checkers.forPath(path), maxIssues), bytes }
  return move({ [transferableSymbol]: [bytes.buffer], [valueSymbol]: answer }) as unknown as CheckedBlock
}

import { createBufferPool, type BufferPool } from "../bytes/buffer-pool.ts"
import type { RowBlock } from "../rows/row-block.ts"
import { BLOCK_BYTES } from "../rows/row-limits.ts"
import type { RowCheckers } from "../schemas/create-row-checkers.ts"
import { checkBlock } from "./check-block.ts"
import type { RowTally } from "./row-tally.ts"

/** One block of a file. Its bytes belong to whoever checks it. */
export interface BlockTask {
  readonly path: string
  readonly block: RowBlock
  readonly maxIssues: number
}

/** Checks blocks, on this thread or on others. */
export interface BlockChecker {
  /** Where blocks for it are filled. */
  readonly buffers: BufferPool
  /** Blocks that it can use at a time. */
  readonly parallel: number
  readonly check: (task: BlockTask) => Promise<RowTally>
  readonly close: () => Promise<void>
}

/** Checks blocks on the calling thread, each in a few milliseconds. */
export function createLocalChecker(checkers: RowCheckers): BlockChecker {
  const buffers = createBufferPool(BLOCK_BYTES)
  return {
    buffers,
    parallel: 1,
    async check({ path, block, maxIssues }) {
      const tally = checkBlock(block, checkers.forPath(path), maxIssues)
      buffers.give(block.bytes)
      return tally
    },
    close: async () => {},
  }
}

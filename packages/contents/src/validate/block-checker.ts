import { createNumberFinder } from "@assay/json"
import { createBufferPool, type BufferPool } from "../bytes/pieces.ts"
import type { RowTally } from "../checking/row-tally.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { checkBlock } from "../checking/schema-work.ts"
import { BLOCK_BYTES, type RowBlock } from "../rows/row-block.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"

/** One block of a file. The checker takes over its bytes. */
export interface BlockTask {
  readonly path: string
  readonly block: RowBlock
  readonly maxIssues: number
  readonly signal?: AbortSignal | undefined
}

/** Checks blocks, on this thread or on other threads. */
export interface BlockChecker {
  /** Buffers for the blocks. */
  readonly buffers: BufferPool
  /** Number of blocks that can be checked at the same time. */
  readonly parallel: number
  readonly check: (task: BlockTask) => Promise<RowTally>
}

/**
 * Creates a checker without a schema. It parses the rows of blocks on the calling thread, each block in a few
 * milliseconds.
 */
export function createBlockReader(): BlockChecker {
  const buffers = createBufferPool(BLOCK_BYTES)
  const finder = createNumberFinder()
  return {
    buffers,
    parallel: 1,
    async check({ block, maxIssues }) {
      const tally = checkBlock(block, { checker: undefined, maxIssues, finder })
      buffers.give(block.bytes)
      return tally
    },
  }
}

export interface SchemaBlocksOptions {
  readonly runner: SchemaRunner
  readonly schemas: RowSchemas
  readonly parallel: number
  readonly blockBytes: number
  /** Number of bytes of all blocks together, if it is known. */
  readonly characters?: number | undefined
}

/** Creates a checker that uses `runner`. Bytes are transferred to the thread and back, never copied. */
export function createBlockChecker(options: SchemaBlocksOptions): BlockChecker {
  const { runner, schemas, parallel, blockBytes, characters } = options
  const buffers = createBufferPool(blockBytes)
  return {
    buffers,
    parallel,
    async check({ path, block, maxIssues, signal }) {
      const transferList = [block.bytes.buffer, block.bounds.buffer]
      const job = { kind: "block", path, block, maxIssues } as const
      const { bytes, tally } = await runner.run(schemas, job, { signal, characters, transferList })
      buffers.give(bytes)
      return tally
    },
  }
}

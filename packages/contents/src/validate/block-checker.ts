import { createNumberFinder } from "@assay/schemas/numbers"
import { createBufferPool, type BufferPool } from "../bytes/buffer-pool.ts"
import type { RowBlock } from "../rows/row-block.ts"
import { BLOCK_BYTES } from "../rows/row-limits.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { checkBlock } from "../checking/schema-work.ts"
import type { RowTally } from "../checking/row-tally.ts"

/** One block of a file. Its bytes belong to whoever checks it. */
export interface BlockTask {
  readonly path: string
  readonly block: RowBlock
  readonly maxIssues: number
  readonly signal?: AbortSignal | undefined
}

/** Checks blocks, on this thread or on others. */
export interface BlockChecker {
  /** Where blocks for it are filled. */
  readonly buffers: BufferPool
  /** Blocks that it can use at a time. */
  readonly parallel: number
  readonly check: (task: BlockTask) => Promise<RowTally>
}

/** Reads the rows of blocks on the calling thread, each block in a few milliseconds, and checks them against no schema. */
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
  /** Bytes of all blocks together, if that is known. */
  readonly characters?: number | undefined
}

/** Checks blocks against their schemas with `runner`. Bytes are handed over and back, never copied. */
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

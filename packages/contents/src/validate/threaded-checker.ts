import type { DatasetMetadata } from "@assay/schemas"
import { Piscina } from "piscina"
import { createBufferPool } from "../bytes/buffer-pool.ts"
import { threadFile } from "../threads/thread-file.ts"
import type { BlockChecker, BlockTask } from "./block-checker.ts"
import type { CheckedBlock } from "./check-worker.ts"

const BLOCK_BYTES = 4 * 1024 * 1024

/**
 * Checks blocks on `parallel` threads. Bytes are handed over and back, never copied. Closing it ends the threads, whatever
 * they are at.
 */
export function createThreadedChecker(metadata: DatasetMetadata, parallel: number): BlockChecker {
  const buffers = createBufferPool(BLOCK_BYTES)
  const pool = new Piscina<BlockTask, CheckedBlock>({
    filename: threadFile("check-worker", import.meta.url).href,
    name: "checkTask",
    minThreads: parallel,
    maxThreads: parallel,
    workerData: metadata,
    recordTiming: false,
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
  })
  return {
    buffers,
    parallel,
    async check(task) {
      const transferList = [task.block.bytes.buffer, task.block.bounds.buffer]
      const { bytes, tally } = await pool.run(task, { transferList })
      buffers.give(bytes)
      return tally
    },
    close: () => pool.destroy(),
  }
}

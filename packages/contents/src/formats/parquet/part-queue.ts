import type { ParquetFile } from "./parquet-file.ts"
import type { ToParquetProcess } from "./parquet-messages.ts"

export interface PartQueueOptions {
  readonly file: ParquetFile
  /** Resolves when the message has left. */
  readonly send: (message: ToParquetProcess) => Promise<void>
  readonly onFailure: (id: number, error: unknown) => void
}

export interface WantedPart {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** Brings the parts of a file that a reader wants. */
export interface PartQueue {
  readonly add: (part: WantedPart) => void
  /** Whether the reader waits for parts. */
  readonly isBusy: () => boolean
  readonly close: () => void
}

/** Parts that are read at a time. A file can have any number of columns, all of which are wanted at once. */
const AT_A_TIME = 8

export function createPartQueue({ file, send, onFailure }: PartQueueOptions): PartQueue {
  const waiting: WantedPart[] = []
  let underWay = 0
  let isClosed = false

  async function bring({ id, start, end }: WantedPart): Promise<void> {
    try {
      for await (const bytes of file.read(start, end)) {
        if (isClosed) return
        await send({ kind: "bytes", id, bytes })
      }
    } catch (error) {
      if (!isClosed) onFailure(id, error)
    } finally {
      underWay--
      next()
    }
  }
  function next(): void {
    while (underWay < AT_A_TIME) {
      const part = waiting.shift()
      if (part === undefined) return
      underWay++
      void bring(part)
    }
  }

  return {
    add(part) {
      waiting.push(part)
      next()
    },
    isBusy: () => underWay > 0,
    close() {
      isClosed = true
      waiting.length = 0
    },
  }
}

import { Worker } from "node:worker_threads"
import { isAssayError } from "@assay/schemas/errors"
import type { AsyncBuffer } from "hyparquet"
import { threadFile } from "../threads/thread-file.ts"
import { describeParquetFault } from "./parquet-fault.ts"
import type { FromParquetThread, ParquetAnswer, ToParquetThread } from "./parquet-messages.ts"

export interface ParquetThreadOptions {
  readonly signal: AbortSignal | undefined
  /** Milliseconds that it may work on what it has. Default 30,000. */
  readonly patience?: number | undefined
}

export interface ParquetThread {
  /** One at a time. */
  readonly ask: (order: Exclude<ToParquetThread, { kind: "part" }>) => Promise<ParquetAnswer>
  readonly close: () => Promise<void>
}

/** Enough for the largest row group that is read at a time, and an end to a file that would take all there is. */
const MOST_MEGABYTES = 512
const PATIENCE = 30_000

function describeThreadFault(error: Error): string {
  const isFull = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
  return isFull ? `its pages take more than ${MOST_MEGABYTES} MiB of memory to decode` : describeParquetFault(error)
}

/**
 * A thread that reads `file`. The library believes what is in the pages: a spoilt byte can make it loop for ever or fill the
 * memory. Here that ends the thread, not the process.
 * @throws from `ask`: what `file` throws, or the reason of `signal`
 */
export function startParquetThread(file: AsyncBuffer, options: ParquetThreadOptions): ParquetThread {
  const { signal, patience = PATIENCE } = options
  const worker = new Worker(threadFile("parquet-worker", import.meta.url), {
    workerData: { size: file.byteLength },
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  let answer = (_answer: ParquetAnswer | { readonly kind: "failure"; readonly error: unknown }) => {}
  let timer: NodeJS.Timeout | undefined

  const giveUp = (fault: string) => answer({ kind: "fault", fault })
  const fail = (error: unknown) => answer({ kind: "failure", error })
  const onAbort = () => fail(signal?.reason)
  const restartClock = () => {
    clearTimeout(timer)
    timer = setTimeout(() => giveUp(`its pages take longer than ${patience} ms to decode`), patience)
  }

  const tell = (message: ToParquetThread, bytes: readonly ArrayBuffer[] = []) => worker.postMessage(message, bytes)

  async function bring(id: number, start: number, end: number): Promise<void> {
    // It waits for us now, and not the other way round.
    clearTimeout(timer)
    try {
      const bytes = await file.slice(start, end)
      restartClock()
      tell({ kind: "part", id, bytes }, [bytes])
    } catch (error) {
      if (isAssayError(error) || signal?.aborted === true) return fail(error)
      tell({ kind: "part", id, bytes: null })
    }
  }

  worker.on("message", (message: FromParquetThread) => {
    if (message.kind === "want") void bring(message.id, message.start, message.end)
    else answer(message)
  })
  // A thread ends with an error only where the memory or the library does; in whose words is no matter of the file.
  worker.on("error", (error) => giveUp(describeThreadFault(error)))
  worker.on("exit", () => giveUp("its reader has ended"))
  signal?.addEventListener("abort", onAbort, { once: true })

  return {
    async ask(order) {
      signal?.throwIfAborted()
      const answered = await new Promise<Parameters<typeof answer>[0]>((resolve) => {
        answer = resolve
        restartClock()
        tell(order)
      })
      clearTimeout(timer)
      if (answered.kind === "failure") throw answered.error
      return answered
    },
    async close() {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      await worker.terminate()
    },
  }
}

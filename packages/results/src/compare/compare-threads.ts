import { Worker } from "node:worker_threads"
import type { Comparison, PairLabelQueue } from "@assay/schemas"
import pLimit from "p-limit"
import { errorOf } from "../threads/thread-failure.ts"
import type { CompareJobsOptions } from "./compare-jobs.ts"
import type { PairQueueOptions } from "./pair-queue.ts"
import type { CompareWork, DescribedJob, FromCompareThread, ToCompareThread } from "./compare-messages.ts"

/** A job whose rows are read as bytes. */
export interface StoredSide extends DescribedJob {
  /** Reads `rows.jsonl` from its start. Each piece of bytes belongs to the reader. */
  readonly bytes: () => AsyncIterable<Buffer>
}

/** Compares on threads of their own: a comparison of a million rows takes seconds of processor time. */
export interface CompareThreads {
  /** Does what `compareJobs` does. */
  (jobs: readonly StoredSide[], options: CompareJobsOptions): Promise<Comparison>
  /** Does what `queuePairs` does. */
  queue(jobs: readonly [StoredSide, StoredSide], options: PairQueueOptions): Promise<PairLabelQueue>
}

/** Threads that run at a time. Each keeps 8 bytes for each score and row of two jobs. */
const AT_ONCE = 2

export function createCompareThreads(): CompareThreads {
  const inTurn = pLimit(AT_ONCE)
  const inThread = (jobs: readonly StoredSide[], work: Omit<CompareWork, "jobs">, signal: AbortSignal | undefined) =>
    inTurn(() => workInThread(jobs, work, signal))
  return Object.assign(
    async (jobs: readonly StoredSide[], { signal, ...options }: CompareJobsOptions) => {
      const found = await inThread(jobs, { options }, signal)
      if (found.kind !== "done") throw new Error("The thread of a comparison returned no comparison.")
      return found.comparison
    },
    {
      async queue(jobs: readonly [StoredSide, StoredSide], { signal, ...queue }: PairQueueOptions) {
        const found = await inThread(jobs, { options: {}, queue }, signal)
        if (found.kind !== "drawn") throw new Error("The thread of a draw returned no rows.")
        return found.queue
      },
    },
  )
}

type Found = Extract<FromCompareThread, { kind: "done" | "drawn" }>

async function workInThread(
  jobs: readonly StoredSide[],
  work: Omit<CompareWork, "jobs">,
  signal: AbortSignal | undefined,
): Promise<Found> {
  signal?.throwIfAborted()
  const described = jobs.map(({ bytes: _bytes, ...job }) => job)
  const worker = new Worker(PROGRAM, {
    workerData: { jobs: JSON.stringify(described), ...work } satisfies CompareWork,
  })
  const readings = new Map<number, AsyncIterator<Uint8Array>>()

  async function bring({ reading, job }: Extract<FromCompareThread, { kind: "read" }>): Promise<void> {
    const rows = readings.get(reading) ?? jobs[job]?.bytes()[Symbol.asyncIterator]()
    if (rows === undefined) throw new Error(`There is no job ${job} in this comparison.`)
    readings.set(reading, rows)
    const step = await rows.next()
    worker.postMessage({ reading, bytes: step.done === true ? null : step.value } satisfies ToCompareThread, [])
  }

  let onAbort = () => {}
  try {
    return await new Promise<Found>((resolve, reject) => {
      onAbort = () => reject(signal?.reason as Error)
      signal?.addEventListener("abort", onAbort, { once: true })
      worker.on("message", (message: FromCompareThread) => {
        if (message.kind === "done" || message.kind === "drawn") resolve(message)
        else if (message.kind === "failed") reject(errorOf(message.failure))
        else bring(message).catch(reject)
      })
      worker.on("error", reject)
      worker.on("exit", () => reject(new Error("The thread of a comparison has ended.")))
    })
  } finally {
    signal?.removeEventListener("abort", onAbort)
    await worker.terminate()
    for (const rows of readings.values()) await rows.return?.()
  }
}

/** The TypeScript source if this module is one, or the built file. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "./compare-worker.ts" : "./compare-worker.js",
  import.meta.url,
)

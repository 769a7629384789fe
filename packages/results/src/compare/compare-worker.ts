import { parentPort, workerData } from "node:worker_threads"
import { readRows } from "../rows/read-rows.ts"
import { failureOf } from "../threads/thread-failure.ts"
import { compareJobs } from "./compare-jobs.ts"
import { queuePairs } from "./pair-queue.ts"
import type { CompareWork, DescribedJob, FromCompareThread, ToCompareThread } from "./compare-messages.ts"

// The program of a thread that compares jobs. It asks its parent for their rows.
const { jobs, options, queue } = workerData as CompareWork
const waiting = new Map<number, (bytes: Uint8Array | null) => void>()
let readings = 0

const send = (message: FromCompareThread) => parentPort?.postMessage(message, [])
parentPort?.on("message", ({ reading, bytes }: ToCompareThread) => waiting.get(reading)?.(bytes))

async function* bytesOf(job: number): AsyncGenerator<Buffer, void> {
  const reading = readings++
  for (;;) {
    const bytes = await new Promise<Uint8Array | null>((resolve) => {
      waiting.set(reading, resolve)
      send({ kind: "read", reading, job })
    })
    if (bytes === null) return
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

const described = JSON.parse(jobs) as readonly DescribedJob[]
try {
  const sides = described.map((job, index) => ({ ...job, rows: () => readRows(bytesOf(index)) }))
  const [first, second] = sides
  if (queue === undefined) send({ kind: "done", comparison: await compareJobs(sides, options) })
  else if (first !== undefined && second !== undefined) {
    send({ kind: "drawn", queue: await queuePairs([first, second], queue) })
  }
} catch (error) {
  send({ kind: "failed", failure: failureOf(error) })
}

import { Worker } from "node:worker_threads"
import { AssayError, type ErrorCode } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import { HEAP_LIMITS, type LimitName, programFile, watchThread } from "@assay/isolation"
import type { CheckpointDescription } from "../describe/describe-checkpoint.ts"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"

/** A checkpoint with 400,000 tensors takes 5 % of this time and 20 % of this memory. */
const LIMITS = { cpuMs: 60_000, memoryMb: 2048 }
/** Number of files that are sent to the thread at a time. */
const LIST_PART = 1000

/**
 * Describes a checkpoint on a separate thread, because the headers of its weights can hold millions of values. `reader`
 * stays on the calling thread.
 * @throws what `describeCheckpoint` throws; `broken_checkpoint` for a checkpoint that takes too much time or memory;
 * the reason of `signal`
 */
export async function describeInThread(
  reader: CheckpointReader,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CheckpointDescription> {
  signal?.throwIfAborted()
  const worker = new Worker(programFile("describe-worker", import.meta.url), {
    workerData: { names },
    resourceLimits: HEAP_LIMITS,
  })
  const listings = new Map<number, AsyncIterator<StoredFile>>()
  let waits = 0
  let stopWatch = () => {}

  async function bring(message: Extract<FromDescribeThread, { id: number }>): Promise<ToDescribeThread> {
    const { id } = message
    if (message.kind === "read") {
      return { kind: "bytes", id, bytes: await reader.read(message.file, message.start, message.length) }
    }
    const listing = listings.get(id) ?? reader.list()[Symbol.asyncIterator]()
    listings.set(id, listing)
    const files: StoredFile[] = []
    while (files.length < LIST_PART) {
      const step = await listing.next()
      if (step.done === true) break
      files.push(step.value)
    }
    return { kind: "files", id, files }
  }

  try {
    return await new Promise<CheckpointDescription>((resolve, reject) => {
      const onAbort = () => reject(signal?.reason as Error)
      signal?.addEventListener("abort", onAbort, { once: true })
      const isWaiting = () => waits > 0
      stopWatch = watchThread(worker, { limits: LIMITS, isWaiting, onOver: (limit) => reject(tooCostly(limit)) })
      worker.on("message", (message: FromDescribeThread) => {
        if (message.kind === "done") return resolve(message.description)
        if (message.kind === "failed") return reject(errorOf(message))
        waits++
        bring(message)
          .then((answer) => worker.postMessage(answer, transferable(answer)))
          .catch(reject)
          .finally(() => waits--)
      })
      worker.on("error", (error) => {
        const isFull = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
        reject(isFull ? tooCostly("memory") : error)
      })
      worker.on("exit", () => reject(new Error("The thread that describes a checkpoint has ended")))
    })
  } finally {
    stopWatch()
    await worker.terminate()
  }
}

/** Lists the buffers to transfer. Small Buffers share their memory with others and must be copied. */
function transferable(answer: ToDescribeThread): ArrayBuffer[] {
  if (answer.kind !== "bytes" || answer.bytes.byteLength !== answer.bytes.buffer.byteLength) return []
  return [answer.bytes.buffer as ArrayBuffer]
}

function errorOf({ code, message, context }: Extract<FromDescribeThread, { kind: "failed" }>): Error {
  return code === null ? new Error(message) : new AssayError(code, message, { context })
}

function tooCostly(limit: LimitName): AssayError {
  const limitText = limit === "time" ? `${LIMITS.cpuMs / 1000} s of processor time` : `${LIMITS.memoryMb} MiB of memory`
  return new AssayError("broken_checkpoint", `The checkpoint takes more than ${limitText} to describe; split it.`)
}

/** A request of the thread with an id, or the end of its work. */
export type FromDescribeThread =
  | { readonly kind: "list"; readonly id: number }
  | {
      readonly kind: "read"
      readonly id: number
      readonly file: StoredFile
      readonly start: number
      readonly length: number
    }
  | { readonly kind: "done"; readonly description: CheckpointDescription }
  | {
      readonly kind: "failed"
      readonly code: ErrorCode | null
      readonly message: string
      readonly context: Readonly<Record<string, unknown>>
    }

/** Answers to requests. A listing is sent in parts, of which the last is empty. */
export type ToDescribeThread =
  | { readonly kind: "files"; readonly id: number; readonly files: readonly StoredFile[] }
  | { readonly kind: "bytes"; readonly id: number; readonly bytes: Uint8Array }

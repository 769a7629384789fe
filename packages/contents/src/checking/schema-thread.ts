import { Worker, type Transferable } from "node:worker_threads"
import type { DatasetMetadata } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { HEAP_LIMITS, type LimitName, programFile, type UsageLimits, watchThread } from "@assay/isolation"
import type { FromSchemaThread, SchemaJob, SchemaJobs, SchemaJobKind } from "./schema-messages.ts"

export interface ThreadJob {
  readonly digest: string
  readonly metadata: DatasetMetadata
  readonly job: SchemaJob
  readonly limits: UsageLimits
  readonly transferList: readonly Transferable[]
}

/** The result of a job that exceeded a limit. */
export interface OverLimit {
  readonly over: LimitName
}

export type JobAnswer = SchemaJobs[SchemaJobKind]["answer"]

/** A thread that runs one job at a time. It has ended after a job that exceeded a limit. */
export interface SchemaThread {
  readonly run: (job: ThreadJob) => Promise<JobAnswer | OverLimit>
  readonly hasEnded: () => boolean
  readonly end: () => Promise<void>
}

/** Starts a thread that compiles row schemas and checks rows. An idle thread does not keep the process alive. */
export function startSchemaThread(): SchemaThread {
  const worker = new Worker(programFile("check-worker", import.meta.url), { resourceLimits: HEAP_LIMITS })
  let hasEnded = false
  let current: { readonly job: ThreadJob; readonly settle: Settle } | undefined
  let ready = () => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })

  function onMessage(message: FromSchemaThread): void {
    if (message.kind === "ready") ready()
    else if (message.kind === "want") {
      worker.postMessage({ kind: "source", metadata: JSON.stringify(current?.job.metadata) }, [])
    } else if (current !== undefined) settleJob(current.settle, message)
  }

  function onEnd(error: Error): void {
    hasEnded = true
    ready()
    current?.settle.reject(error)
  }

  worker.on("message", onMessage)
  worker.on("error", (error) => {
    // The limit of the JavaScript engine, which is higher than ours.
    if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") current?.settle.resolve({ over: "memory" })
    onEnd(error)
  })
  worker.on("exit", () => onEnd(new Error("The thread that checks rows has ended")))
  worker.unref()

  async function end(): Promise<void> {
    hasEnded = true
    await worker.terminate()
  }

  return {
    hasEnded: () => hasEnded,
    end,
    async run(job) {
      worker.ref()
      // The start of a thread is not counted. On a busy machine it takes longer than most jobs may take.
      await isReady
      let stopWatch = () => {}
      try {
        return await new Promise<JobAnswer | OverLimit>((resolve, reject) => {
          current = { job, settle: { resolve, reject } }
          const onOver = (over: LimitName) => {
            resolve({ over })
            void end()
          }
          stopWatch = watchThread(worker, { limits: job.limits, onOver })
          if (hasEnded) reject(new Error("The thread that checks rows has ended"))
          else worker.postMessage({ kind: "job", digest: job.digest, job: job.job }, job.transferList)
        })
      } finally {
        stopWatch()
        current = undefined
        worker.unref()
      }
    },
  }
}

interface Settle {
  readonly resolve: (answer: JobAnswer | OverLimit) => void
  readonly reject: (error: Error) => void
}

function settleJob(
  { resolve, reject }: Settle,
  message: Extract<FromSchemaThread, { readonly kind: "done" | "failed" }>,
): void {
  if (message.kind === "done") resolve(message.answer)
  else reject(message.code === null ? new Error(message.message) : new AssayError(message.code, message.message))
}

import type { Transferable } from "node:worker_threads"
import { AssayError } from "@assay/schemas/errors"
import { LRUCache } from "lru-cache"
import type { UsageLimits } from "../isolation/watch-usage.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { SchemaJob, SchemaJobKind } from "./schema-messages.ts"
import type { SchemaPool, SchemaPoolOptions, SchemaRunOptions } from "./schema-pool.ts"
import { startSchemaThread, type JobAnswer, type OverLimit, type SchemaThread } from "./schema-thread.ts"

interface Task {
  readonly owner: string
  readonly schemas: RowSchemas
  readonly job: SchemaJob
  readonly transferList: readonly Transferable[]
  readonly resolve: (answer: JobAnswer) => void
  readonly reject: (error: unknown) => void
}

const MEBIBYTE = 1024 * 1024
const MS_PER_MEBIBYTE = 1000
/**
 * Milliseconds for which a schema is remembered that was too slow for one batch. It may be fast enough for other rows.
 */
const REMEMBERED_MS = 60_000

/** Creates the pool of threads. A thread starts when a job needs it. */
export function createSchemaThreads(options: SchemaPoolOptions = {}): SchemaPool {
  const { threads: maxThreads = 2, idleMs = 60_000 } = options
  const perOwner = Math.max(1, maxThreads - 1)
  const queue = createFairQueue<Task>()
  const costly = createCostlySchemas()
  const idle: SchemaThread[] = []
  const busy = new Set<SchemaThread>()
  const running = new Map<string, number>()
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  function dispatch(): void {
    while (busy.size < maxThreads) {
      const task = queue.take((owner) => (running.get(owner) ?? 0) < perOwner)
      if (task === undefined) return
      void runTask(task)
    }
  }

  async function runTask(task: Task): Promise<void> {
    const { owner, schemas, job, transferList } = task
    const known = costly.get(schemas.digest)
    if (known !== undefined) {
      task.reject(tooCostly(known))
      return
    }
    clearTimeout(idleTimer)
    const thread = idle.pop() ?? startSchemaThread()
    busy.add(thread)
    running.set(owner, (running.get(owner) ?? 0) + 1)
    // Measure the job before it is sent, because its bytes are transferred.
    const size = sizeOfJob(job)
    const limits = limitsOf(job, size, options)
    try {
      const answer = await thread.run({ ...schemas, job, limits, transferList })
      if ("over" in answer) {
        const why = describe(job, limits, answer)
        if (job.kind === "metadata") costly.add(schemas.digest, why)
        else if (size <= MEBIBYTE) costly.add(schemas.digest, why, REMEMBERED_MS)
        task.reject(tooCostly(why))
      } else {
        task.resolve(answer)
      }
    } catch (error) {
      task.reject(error)
    } finally {
      busy.delete(thread)
      if (!thread.hasEnded()) idle.push(thread)
      const left = (running.get(owner) ?? 1) - 1
      if (left === 0) running.delete(owner)
      else running.set(owner, left)
      dispatch()
      if (busy.size === 0) idleTimer = setTimeout(endIdle, idleMs).unref()
    }
  }

  function endIdle(): void {
    for (const thread of idle.splice(0)) void thread.end()
  }

  async function run(
    owner: string,
    schemas: RowSchemas,
    job: SchemaJob,
    runOptions: SchemaRunOptions,
  ): Promise<JobAnswer> {
    const { signal, transferList = [] } = runOptions
    signal?.throwIfAborted()
    const known = costly.get(schemas.digest)
    if (known !== undefined) throw tooCostly(known)
    if (isClosed) throw closed()
    return new Promise((resolve, reject) => {
      const task: Task = {
        owner,
        schemas,
        job,
        transferList,
        resolve(answer) {
          signal?.removeEventListener("abort", leave)
          resolve(answer)
        },
        reject(error) {
          signal?.removeEventListener("abort", leave)
          reject(error)
        },
      }
      // A job that has started runs to its end, within its limits, because its thread also holds the schemas of other
      // owners.
      const leave = () => {
        queue.remove(owner, task)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener("abort", leave, { once: true })
      queue.add(owner, task)
      dispatch()
    })
  }

  return {
    as: (owner) => ({
      parallel: perOwner,
      run: <K extends SchemaJobKind>(schemas: RowSchemas, job: SchemaJob<K>, runOptions: SchemaRunOptions = {}) =>
        run(owner, schemas, job as SchemaJob, runOptions),
    }),
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      for (let task = queue.take(() => true); task !== undefined; task = queue.take(() => true)) task.reject(closed())
      await Promise.all([...idle, ...busy].map((thread) => thread.end()))
    },
  }
}

/** The schemas that were too costly. The next request with one of them fails at once. */
interface CostlySchemas {
  readonly get: (digest: string) => string | undefined
  /** Remembers a schema for `forMs` milliseconds, or until newer ones replace it. */
  readonly add: (digest: string, why: string, forMs?: number) => void
}

const MAX_REMEMBERED = 1000

function createCostlySchemas(): CostlySchemas {
  const known = new LRUCache<string, string>({ max: MAX_REMEMBERED })
  return {
    get: (digest) => known.get(digest),
    add: (digest, why, forMs = 0) => void known.set(digest, why, { ttl: forMs }),
  }
}

function limitsOf(job: SchemaJob, size: number, options: SchemaPoolOptions): UsageLimits {
  const { compileMs = 2000, checkMs = 3000, memoryMb = 512 } = options
  if (job.kind === "metadata") return { cpuMs: compileMs, memoryMb }
  return { cpuMs: checkMs + Math.floor(size / MEBIBYTE) * MS_PER_MEBIBYTE, memoryMb }
}

/** Returns the number of bytes or characters that a job checks. */
export function sizeOfJob(job: SchemaJob): number {
  switch (job.kind) {
    case "block":
      // The buffer may be larger than its content.
      return job.block.bounds.at(-2) ?? 0
    case "window":
      return job.text.length
    case "values":
      return job.texts.reduce((sum, text) => sum + text.length, 0)
    case "metadata":
      return 0
    default:
      return 0
  }
}

function describe(job: SchemaJob, { cpuMs, memoryMb }: UsageLimits, { over }: OverLimit): string {
  const limit =
    over === "time" ? `more than ${cpuMs / 1000} s of processor time` : `more than ${memoryMb} MiB of memory`
  return job.kind === "metadata" ? `take ${limit} to compile` : `take ${limit} to check a batch of values with`
}

function closed(): Error {
  return new Error("The threads that check rows are closed")
}

function tooCostly(why: string): AssayError {
  return new AssayError(
    "schema_too_costly",
    `The schemas ${why}; make them smaller, with fewer alternatives and references.`,
  )
}

/** A queue of work with several owners. The work of one owner keeps its order. The owners take turns. */
interface FairQueue<T> {
  readonly add: (owner: string, item: T) => void
  /** Removes and returns the next item of an owner for which `mayRun` is true, or undefined if there is none. */
  readonly take: (mayRun: (owner: string) => boolean) => T | undefined
  readonly remove: (owner: string, item: T) => void
}

function createFairQueue<T>(): FairQueue<T> {
  // A map keeps the order of its keys. The first key is the owner whose turn is next.
  const waiting = new Map<string, T[]>()
  return {
    add(owner, item) {
      const items = waiting.get(owner)
      if (items === undefined) waiting.set(owner, [item])
      else items.push(item)
    },
    take(mayRun) {
      for (const [owner, items] of waiting) {
        if (!mayRun(owner)) continue
        const item = items.shift()
        waiting.delete(owner)
        if (items.length > 0) waiting.set(owner, items)
        return item
      }
      return undefined
    },
    remove(owner, item) {
      const left = waiting.get(owner)?.filter((one) => one !== item) ?? []
      if (left.length === 0) waiting.delete(owner)
      else waiting.set(owner, left)
    },
  }
}

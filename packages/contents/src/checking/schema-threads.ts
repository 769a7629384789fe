import type { Transferable } from "node:worker_threads"
import { AssayError } from "@assay/schemas/errors"
import type { UsageLimits } from "@assay/isolation"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { SchemaJob, SchemaJobKind } from "./schema-messages.ts"
import type { SchemaPool, SchemaPoolOptions, SchemaRunOptions } from "./schema-pool.ts"
import { startSchemaThread, type JobAnswer, type OverLimit, type SchemaThread } from "./schema-thread.ts"
import { type FairQueue, createFairQueue } from "./fair-queue.ts"
import { REMEMBERED_MS, type CostlySchemas, createCostlySchemas } from "./costly-schemas.ts"

interface OwnedJob {
  readonly owner: string
  readonly schemas: RowSchemas
  readonly job: SchemaJob
}

interface Task extends OwnedJob {
  readonly transferList: readonly Transferable[]
  readonly resolve: (answer: JobAnswer) => void
  readonly reject: (error: unknown) => void
}

const MEBIBYTE = 1024 * 1024
const MS_PER_MEBIBYTE = 1000

/** The threads of a pool, and the work that waits for them. */
interface Pool {
  readonly options: SchemaPoolOptions
  readonly maxThreads: number
  /** Maximum number of threads that work for one owner. */
  readonly perOwner: number
  readonly queue: FairQueue<Task>
  readonly costly: CostlySchemas
  readonly idle: SchemaThread[]
  readonly busy: Set<SchemaThread>
  /** Number of jobs that run, by owner. */
  readonly running: Map<string, number>
  idleTimer: NodeJS.Timeout | undefined
  isClosed: boolean
}

/** Creates the pool of threads. A thread starts when a job needs it. */
export function createSchemaThreads(options: SchemaPoolOptions = {}): SchemaPool {
  const { threads: maxThreads = 2 } = options
  const pool: Pool = {
    options,
    maxThreads,
    perOwner: Math.max(1, maxThreads - 1),
    queue: createFairQueue<Task>(),
    costly: createCostlySchemas(),
    idle: [],
    busy: new Set(),
    running: new Map(),
    idleTimer: undefined,
    isClosed: false,
  }
  return {
    as: (owner) => ({
      parallel: pool.perOwner,
      run: <K extends SchemaJobKind>(schemas: RowSchemas, job: SchemaJob<K>, runOptions: SchemaRunOptions = {}) =>
        runJob(pool, { owner, schemas, job: job as SchemaJob }, runOptions),
    }),
    async close() {
      const { queue, idle, busy } = pool
      pool.isClosed = true
      clearTimeout(pool.idleTimer)
      for (let task = queue.take(() => true); task !== undefined; task = queue.take(() => true)) task.reject(closed())
      await Promise.all([...idle, ...busy].map((thread) => thread.end()))
    },
  }
}

async function runJob(pool: Pool, job: OwnedJob, { signal, transferList = [] }: SchemaRunOptions): Promise<JobAnswer> {
  signal?.throwIfAborted()
  const known = pool.costly.get(job.schemas.digest)
  if (known !== undefined) throw tooCostly(known)
  if (pool.isClosed) throw closed()
  return new Promise((resolve, reject) => {
    queueTask(pool.queue, { ...job, transferList, resolve, reject }, signal)
    dispatch(pool)
  })
}

/** Starts the tasks for which threads are free. */
function dispatch(pool: Pool): void {
  const { queue, busy, running, maxThreads, perOwner } = pool
  while (busy.size < maxThreads) {
    const task = queue.take((owner) => (running.get(owner) ?? 0) < perOwner)
    if (task === undefined) return
    void runTask(pool, task)
  }
}

async function runTask(pool: Pool, task: Task): Promise<void> {
  const { options, costly, idle, busy, running } = pool
  const { owner, schemas } = task
  const known = costly.get(schemas.digest)
  if (known !== undefined) {
    task.reject(tooCostly(known))
    return
  }
  clearTimeout(pool.idleTimer)
  const thread = idle.pop() ?? startSchemaThread()
  busy.add(thread)
  running.set(owner, (running.get(owner) ?? 0) + 1)
  try {
    const answer = await runOnThread(thread, task, options, costly)
    if ("over" in answer) task.reject(tooCostly(answer.over))
    else task.resolve(answer)
  } catch (error) {
    task.reject(error)
  } finally {
    busy.delete(thread)
    if (!thread.hasEnded()) idle.push(thread)
    const left = (running.get(owner) ?? 1) - 1
    if (left === 0) running.delete(owner)
    else running.set(owner, left)
    dispatch(pool)
    if (busy.size === 0) pool.idleTimer = setTimeout(endIdle, options.idleMs ?? 60_000, idle).unref()
  }
}

function endIdle(idle: SchemaThread[]): void {
  for (const thread of idle.splice(0)) void thread.end()
}

/** Adds a task, which leaves the queue when the signal aborts. */
function queueTask(queue: FairQueue<Task>, asked: Task, signal: AbortSignal | undefined): void {
  const { owner } = asked
  const task: Task = {
    ...asked,
    resolve(answer) {
      signal?.removeEventListener("abort", leave)
      asked.resolve(answer)
    },
    reject(error) {
      signal?.removeEventListener("abort", leave)
      asked.reject(error)
    },
  }
  // A job that has started runs to its end, within its limits, because its thread also holds the schemas of other
  // owners.
  const leave = () => {
    queue.remove(owner, task)
    asked.reject(signal?.reason as Error)
  }
  signal?.addEventListener("abort", leave, { once: true })
  queue.add(owner, task)
}

/** Runs a task. A schema that is too costly is remembered; then the answer says why. */
async function runOnThread(
  thread: SchemaThread,
  { schemas, job, transferList }: Task,
  options: SchemaPoolOptions,
  costly: CostlySchemas,
): Promise<JobAnswer | { readonly over: string }> {
  // Measure the job before it is sent, because its bytes are transferred.
  const size = sizeOfJob(job)
  const limits = limitsOf(job, size, options)
  const answer = await thread.run({ ...schemas, job, limits, transferList })
  if (!("over" in answer)) return answer
  const why = describe(job, limits, answer)
  if (job.kind === "metadata") costly.add(schemas.digest, why)
  else if (size <= MEBIBYTE) costly.add(schemas.digest, why, REMEMBERED_MS)
  return { over: why }
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
    case "select":
      return job.part.block?.bounds.at(-2) ?? job.part.window?.text.length ?? 0
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

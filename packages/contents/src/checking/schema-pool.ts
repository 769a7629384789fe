import type { Transferable } from "node:worker_threads"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import type { SchemaJob, SchemaJobKind, SchemaJobs } from "./schema-messages.ts"
import { createSchemaThreads, sizeOfJob } from "./schema-threads.ts"
import type { SchemaWork } from "./schema-work.ts"

export interface SchemaPoolOptions {
  /** Maximum number of threads. One owner can use all but one. Default 2. */
  readonly threads?: number | undefined
  /** Milliseconds of processor time to compile the schemas of a dataset. Default 2000. */
  readonly compileMs?: number | undefined
  /**
   * Milliseconds of processor time to check one batch of rows. Each mebibyte of a larger batch adds to it. Default
   * 3000.
   */
  readonly checkMs?: number | undefined
  /** Mebibytes of heap that one job may use. Default 512. */
  readonly memoryMb?: number | undefined
  /** Milliseconds after which idle threads are ended. Default 60,000. */
  readonly idleMs?: number | undefined
}

export interface SchemaRunOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Number of characters or bytes of all values that the same schemas will check, if it is known. Default: those of
   * this job.
   */
  readonly characters?: number | undefined
  readonly transferList?: readonly Transferable[] | undefined
}

/** Runs jobs for one owner. An owner can't take more than its share of the threads. */
export interface SchemaRunner {
  /** Maximum number of jobs that run at the same time. */
  readonly parallel: number
  /** @throws `schema_too_costly`; `invalid_request` for schemas that can't be compiled; the reason of `signal` */
  readonly run: <K extends SchemaJobKind>(
    schemas: RowSchemas,
    job: SchemaJob<K>,
    options?: SchemaRunOptions,
  ) => Promise<SchemaJobs[K]["answer"]>
}

/**
 * A pool of threads that compile the row schemas of users and check rows. A thread is terminated if its job exceeds a
 * limit.
 */
export interface SchemaPool {
  readonly as: (owner: string) => SchemaRunner
  /** Ends every thread. Running jobs fail. */
  readonly close: () => Promise<void>
}

export interface SchemaWorkOptions extends SchemaPoolOptions {
  /**
   * Maximum number of checks for a job that runs on the calling thread, because starting a thread takes 100 ms. Default
   * 1,000,000, which takes a few milliseconds.
   */
  readonly checksHere?: number | undefined
}

const CHECKS_HERE = 1_000_000
/** Number of characters of a file whose rows are searched on the calling thread, also without a schema. */
const SEARCHED_HERE = 1_000_000
/** Number of characters per value in the densest JSON, such as `{"a":1,"b":2}`, including separators. */
const VALUE_CHARACTERS = 4
/** Number of checks that take as long as compiling one character of a schema. */
const CHECKS_PER_SCHEMA_CHARACTER = 128

/**
 * Creates a pool that runs small jobs on the calling thread if their schemas are cheap for certain, and all other jobs
 * on threads.
 */
export function createSchemaPool(options: SchemaWorkOptions = {}): SchemaPool {
  const { checksHere = CHECKS_HERE } = options
  const threads = createSchemaThreads(options)
  let loaded: Promise<SchemaWork> | undefined

  async function runHere<K extends SchemaJobKind>(schemas: RowSchemas, job: SchemaJob<K>, signal?: AbortSignal) {
    signal?.throwIfAborted()
    // Load it here, because most processes never check a row.
    loaded ??= import("./schema-work.ts").then(({ createSchemaWork }) => createSchemaWork())
    const work = await loaded
    // Let other work on this thread run between two jobs.
    await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
    if (!work.knows(schemas.digest)) work.learn(schemas.digest, schemas.metadata)
    return work.run(schemas.digest, job)
  }

  function runnerOf(owner: string): SchemaRunner {
    const { parallel, run } = threads.as(owner)
    return {
      parallel,
      async run<K extends SchemaJobKind>(schemas: RowSchemas, job: SchemaJob<K>, runOptions: SchemaRunOptions = {}) {
        const { signal, characters = 0 } = runOptions
        const size = Math.max(characters, sizeOfJob(job as SchemaJob))
        const isSearch = job.kind === "select" && size > SEARCHED_HERE
        if (isSearch || checksOf(schemas, size) > checksHere) return run(schemas, job, runOptions)
        return runHere(schemas, job, signal)
      },
    }
  }

  return { as: runnerOf, close: threads.close }
}

/**
 * Returns the maximum number of checks needed to compile `schemas` and to check `valueCharacters` characters of values.
 */
function checksOf({ weight, characters }: RowSchemas, valueCharacters: number): number {
  return characters * CHECKS_PER_SCHEMA_CHARACTER + weight * (1 + valueCharacters / VALUE_CHARACTERS)
}

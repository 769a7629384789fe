import type { Transferable } from "node:worker_threads"
import type { RowSchemas } from "../schemas/row-schemas.ts"
import { createSchemaThreads, sizeOfJob } from "./schema-threads.ts"
import type { SchemaJob, SchemaJobKind, SchemaJobs } from "./schema-messages.ts"
import type { SchemaWork } from "./schema-work.ts"

export interface SchemaPoolOptions {
  /** Threads at most. One owner takes all but one of them. Default 2. */
  readonly threads?: number
  /** Milliseconds of processor time to compile the schemas of a dataset. Default 2000. */
  readonly compileMs?: number
  /** Milliseconds of processor time to check one batch of rows; a batch of more than a mebibyte has more. Default 3000. */
  readonly checkMs?: number
  /** Mebibytes of heap that one job may use. Default 512. */
  readonly memoryMb?: number
  /** Milliseconds after which idle threads end. Default 60,000. */
  readonly idleMs?: number
}

export interface SchemaRunOptions {
  readonly signal?: AbortSignal | undefined
  /** Characters or bytes of all values that the same schemas are to check, if that is known. Default: those of the job. */
  readonly characters?: number | undefined
  readonly transferList?: readonly Transferable[]
}

/** Does jobs for one owner, of which others do not have to wait for more than their share. */
export interface SchemaRunner {
  /** Jobs that run at a time. */
  readonly parallel: number
  /** @throws `schema_too_costly`; `invalid_request` for schemas that can't be compiled; the reason of `signal` */
  readonly run: <K extends SchemaJobKind>(
    schemas: RowSchemas,
    job: SchemaJob<K>,
    options?: SchemaRunOptions,
  ) => Promise<SchemaJobs[K]["answer"]>
}

/** Threads that compile the row schemas of users and check rows with them. A job over its limits ends with its thread. */
export interface SchemaPool {
  readonly as: (owner: string) => SchemaRunner
  /** Ends every thread. Jobs under way fail. */
  readonly close: () => Promise<void>
}

export interface SchemaWorkOptions extends SchemaPoolOptions {
  /**
   * Checks of values that a job may need at most to be done on the calling thread: to start a thread takes 100 ms. Default
   * 1,000,000, which takes a few milliseconds.
   */
  readonly checksHere?: number
}

const CHECKS_HERE = 1_000_000
/** Characters of the shortest values, as in `{"a":1,"b":2}`, with what stands between them. */
const VALUE_CHARACTERS = 4
/** How many checks take as long as to compile one character of a schema. */
const CHECKS_PER_SCHEMA_CHARACTER = 128

/** Does small jobs on the calling thread where schemas show without being compiled that they can't be costly, and all others on threads. */
export function createSchemaPool(options: SchemaWorkOptions = {}): SchemaPool {
  const { checksHere = CHECKS_HERE } = options
  const threads = createSchemaThreads(options)
  let loaded: Promise<SchemaWork> | undefined

  async function runHere<K extends SchemaJobKind>(schemas: RowSchemas, job: SchemaJob<K>, signal?: AbortSignal) {
    signal?.throwIfAborted()
    // Loaded here, since most processes never check a row.
    loaded ??= import("./schema-work.ts").then(({ createSchemaWork }) => createSchemaWork())
    const work = await loaded
    // Whatever else waits for this thread has its turn between two jobs.
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
        if (checksOf(schemas, size) > checksHere) return run(schemas, job, runOptions)
        return runHere(schemas, job, signal)
      },
    }
  }

  return { as: runnerOf, close: threads.close }
}

/** How many checks it takes at most to compile `schemas` and to check values of so many characters. */
function checksOf({ weight, characters }: RowSchemas, valueCharacters: number): number {
  return characters * CHECKS_PER_SCHEMA_CHARACTER + weight * (1 + valueCharacters / VALUE_CHARACTERS)
}

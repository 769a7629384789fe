import type { ColumnFilter, DatasetMetadata } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"
import { LRUCache } from "lru-cache"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import type { IssueCount } from "../checking/issue-kinds.ts"
import type { RowSelection } from "../checking/select-rows.ts"
import type { RowFault } from "../schemas/row-checker.ts"
import type { RowIndex, RowIndexStore } from "../pages/row-index.ts"
import { createFoundRows, type FoundRows } from "./found-rows.ts"
import type { Turns } from "@assay/isolation"

/** The rows that a search looks for: those that match the filters, and have issues. */
export interface RowQuestion {
  readonly filters: readonly ColumnFilter[]
  readonly isInvalid: boolean
  /** Only rows with an issue of this kind. */
  readonly issue?: RowFault | undefined
}

/** A search of all rows of one version of a file. It goes on while somebody asks about it, and its result is kept. */
export interface RowSearch {
  readonly found: FoundRows
  /** Rows that were searched. */
  readonly searched: number
  /** The part of the file that was read, from 0 to 1. */
  readonly progress: number
  readonly isComplete: boolean
  readonly kinds: readonly IssueCount[]
  /** Returns the positions of the rows that were searched so far. Undefined: the format of the file needs none, or nothing was read. */
  readonly indexSoFar: (() => RowIndex) | undefined
}

export interface SearchSubject {
  readonly fileset: string
  readonly file: StoredFile
  readonly storage: Storage
  readonly metadata: DatasetMetadata | undefined
  readonly runner: SchemaRunner
  readonly indexes: RowIndexStore
}

export interface RowSearches {
  /**
   * Returns a search as far as it is after `waitMs`, or as soon as it is complete. It goes on afterwards.
   * @throws what ended the search
   */
  ask(subject: SearchSubject, question: RowQuestion, options: AskOptions): Promise<RowSearch>
}

export interface AskOptions {
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** Searches that are kept, and the sum of the rows that they found. A search that somebody waits for goes on, also if it is not kept. */
const MAX_KEPT = 100
const MAX_KEPT_ROWS = 20_000_000
/** Milliseconds after which a search ends that nobody asks about. */
const UNASKED_MS = 20_000

interface Running {
  readonly search: { -readonly [Key in keyof RowSearch]: RowSearch[Key] }
  readonly ended: Promise<void>
  failure: { readonly error: unknown } | undefined
  /** Number of requests that wait for it. */
  waiting: number
  isDropped: boolean
  /** Puts off the end of a search that nobody asks about. */
  readonly touch: () => void
  readonly stop: () => void
}

/**
 * Creates the searches of a server. They share the turns of other readings.
 * @param max maximum number of searches that are kept
 */
export function createRowSearches(turns: Turns, max: number = MAX_KEPT): RowSearches {
  const kept = new LRUCache<string, Running>({
    max,
    maxSize: MAX_KEPT_ROWS,
    sizeCalculation: () => 1,
    dispose: drop,
  })

  function begin(key: string, subject: SearchSubject, question: RowQuestion): Running {
    const leaving = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const touch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => leaving.abort(new Error("Nobody asks about the search.")), UNASKED_MS).unref()
    }
    const search: Running["search"] = {
      found: createFoundRows(),
      searched: 0,
      progress: 0,
      isComplete: false,
      kinds: [],
      indexSoFar: undefined,
    }
    const running: Running = {
      search,
      failure: undefined,
      waiting: 0,
      isDropped: false,
      touch,
      stop: () => leaving.abort(new Error("The search was dropped.")),
      ended: turns
        .run(leaving.signal, () => run(search, subject, question, leaving.signal))
        .then(() => {
          search.isComplete = true
          if (kept.get(key) === running) kept.set(key, running, { size: 1 + search.found.length() })
          return undefined
        })
        .catch((error: unknown) => {
          running.failure = { error }
          if (kept.get(key) === running) kept.delete(key)
        })
        .finally(() => clearTimeout(timer)),
    }
    kept.set(key, running)
    return running
  }

  return {
    async ask(subject, question, { waitMs, signal }) {
      const key = keyOf(subject, question)
      const running = kept.get(key) ?? begin(key, subject, question)
      if (!running.search.isComplete) await waitFor(running, waitMs, signal)
      signal.throwIfAborted()
      if (running.failure !== undefined) throw running.failure.error
      return running.search
    },
  }
}

/** Ends a search that is not kept any more when nobody waits for it. */
function drop(running: Running): void {
  running.isDropped = true
  if (running.waiting === 0) running.stop()
}

async function waitFor(running: Running, maxMs: number, signal: AbortSignal): Promise<void> {
  running.touch()
  running.waiting += 1
  await untilEnd(running.ended, maxMs, signal)
  running.waiting -= 1
  if (running.isDropped) drop(running)
}

async function run(
  search: Running["search"],
  { file, storage, metadata, runner, indexes }: SearchSubject,
  { filters, isInvalid, issue }: RowQuestion,
  signal: AbortSignal,
): Promise<void> {
  const { searchRows } = await import("../pages/search-rows.ts")
  const { createKindCounts } = await import("../checking/issue-kinds.ts")
  const selection: RowSelection = { filters, isInvalid, issue }
  const counts = createKindCounts()
  let bytes = 0
  const onBytes = (count: number) => {
    bytes += count
    search.progress = file.size === 0 ? 1 : Math.min(1, bytes / file.size)
  }
  const onIndex = (soFar: () => RowIndex) => void (search.indexSoFar = soFar)
  const options = { storage, metadata, runner, selection, indexes, onIndex, signal, onBytes }
  for await (const part of searchRows(file, options)) {
    search.found.add(part.rowIndex, part.found)
    search.searched = part.rowIndex + part.rows
    for (const { count, ...kind } of part.kinds) counts.add(kind, count)
    if (part.kinds.length > 0) search.kinds = counts.list()
  }
  search.progress = 1
}

/** Returns the name of a search: everything that changes its result. */
function keyOf({ fileset, file, metadata }: SearchSubject, { filters, isInvalid, issue }: RowQuestion): string {
  const { path, etag, size, updatedAt } = file
  return JSON.stringify([fileset, path, etag ?? [size, updatedAt], metadata, filters, isInvalid, issue])
}

async function untilEnd(ended: Promise<void>, maxMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const timer = setTimeout(wake, maxMs)
  signal.addEventListener("abort", wake)
  await Promise.race([ended, promise])
  clearTimeout(timer)
  signal.removeEventListener("abort", wake)
}

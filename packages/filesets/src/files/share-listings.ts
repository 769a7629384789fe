import { setImmediate as nextTurn } from "node:timers/promises"
import type { FileInfo } from "@assay/schemas"
import pLimit from "p-limit"

/** Batches of files in the order of their paths. The result is the token of the next page. */
export type FileBatches = AsyncGenerator<readonly FileInfo[], string | undefined, undefined>

/** The same as JSON without brackets. A batch can be empty. */
export type FileListing = AsyncGenerator<string, string | undefined, undefined>

/** A listing of all files, as one caller asks for it. */
export interface ListingRequest {
  /** Equal for listings with the same result. */
  readonly key: string
  readonly signal?: AbortSignal | undefined
  /** Lists the files after the file `after`, or all files. */
  readonly list: (after: string | undefined, signal: AbortSignal | undefined) => FileBatches
}

/** Lists files that are on the disk of the server. */
export interface Listings {
  /** Returns the files of a listing that began after this call. Callers that ask before it begins share it. */
  share(request: ListingRequest): FileListing
  /** Lets a listing read its batches in turn with all others. */
  inTurns(batches: FileBatches): FileListing
  /** Lets a listing read its entries in turn with all others. */
  entriesInTurns<Entry>(entries: AsyncIterable<Entry>): AsyncIterable<Entry>
}

/** Number of batches that are read at a time: metadata of files is read on this thread, which serves all other requests. */
const AT_A_TIME = 2
/** Number of batches by which a caller may be behind the fastest one. They are in memory. A slower caller gets its own listing. */
const MAX_BEHIND = 4

/** Number of entries that one turn reads. */
const TURN = 256

/** A batch as JSON. It does not reference the files, so that these can leave the memory. */
interface JsonBatch {
  readonly json: string
  readonly last: string | undefined
}

type Step = IteratorResult<JsonBatch, string | undefined>

/** A position between two batches. It does not reference the batches before it, so that these can leave the memory. */
interface Position {
  following?: Promise<{ readonly step: Step; readonly position: Position }>
}

interface Reader {
  /** Undefined if the reader is too far behind. */
  position: Position | undefined
  taken: number
}

interface SharedListing {
  join(): Reader
  take(reader: Reader, position: Position): Promise<Step>
  leave(reader: Reader): void
}

export function createListings(): Listings {
  const turns = pLimit(AT_A_TIME)
  /** The listings that have not begun. */
  const waiting = new Map<string, SharedListing>()

  function sharedListing({ key, list }: ListingRequest): SharedListing {
    const ended = new AbortController()
    const batches = list(undefined, ended.signal)
    const readers = new Set<Reader>()
    /** Forgotten when the listing begins, because it leads to all batches. */
    let start: Position | undefined = {}
    let taken = 0

    function begin(): void {
      if (waiting.get(key) === shared) waiting.delete(key)
      start = undefined
    }

    async function read(): Promise<{ readonly step: Step; readonly position: Position }> {
      // Wait for the other requests of this turn of the event loop.
      if (taken === 0) await nextTurn()
      const step = await turns(() => {
        begin()
        return nextOf(batches)
      })
      taken += 1
      for (const reader of readers) {
        if (taken - reader.taken <= MAX_BEHIND) continue
        reader.position = undefined
        readers.delete(reader)
      }
      return { step, position: {} }
    }

    const shared: SharedListing = {
      join() {
        const reader: Reader = { position: start, taken: 0 }
        readers.add(reader)
        return reader
      },
      async take(reader, position) {
        position.following ??= read()
        const following = await position.following
        reader.taken += 1
        if (reader.position !== undefined) reader.position = following.position
        return following.step
      },
      leave(reader) {
        readers.delete(reader)
        if (readers.size > 0) return
        begin()
        ended.abort()
        batches.return(undefined).catch(() => {})
      },
    }
    return shared
  }

  async function* share(request: ListingRequest): FileListing {
    const { key, signal, list } = request
    const shared = waiting.get(key) ?? sharedListing(request)
    waiting.set(key, shared)
    const reader = shared.join()
    let last: string | undefined
    try {
      while (reader.position !== undefined) {
        signal?.throwIfAborted()
        const { done, value } = await shared.take(reader, reader.position)
        if (done === true) return value
        last = value.last ?? last
        yield value.json
      }
    } finally {
      shared.leave(reader)
    }
    return yield* inTurns(list(last, signal))
  }

  const inTurns = (batches: FileBatches) => jsonOf(batches, (next) => turns(next))
  return { share, inTurns, entriesInTurns: (entries) => entriesInTurns(entries, (next) => turns(next)) }
}

async function* entriesInTurns<Entry>(
  entries: AsyncIterable<Entry>,
  take: <T>(next: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Entry, void, undefined> {
  const reader = entries[Symbol.asyncIterator]()
  try {
    for (;;) {
      const batch = await take(async () => {
        const read: Entry[] = []
        while (read.length < TURN) {
          const { done, value } = await reader.next()
          if (done === true) break
          read.push(value)
        }
        return read
      })
      yield* batch
      if (batch.length < TURN) return
    }
  } finally {
    await reader.return?.()
  }
}

/** Formats batches. `take` runs each step. */
export async function* jsonOf(
  batches: FileBatches,
  take: (next: () => Promise<Step>) => Promise<Step> = (next) => next(),
): FileListing {
  try {
    for (;;) {
      const { done, value } = await take(() => nextOf(batches))
      if (done === true) return value
      yield value.json
    }
  } finally {
    await batches.return(undefined)
  }
}

async function nextOf(batches: FileBatches): Promise<Step> {
  const step = await batches.next()
  if (step.done === true) return step
  const json = step.value.map((file) => JSON.stringify(file)).join(",")
  return { done: false, value: { json, last: step.value.at(-1)?.path } }
}

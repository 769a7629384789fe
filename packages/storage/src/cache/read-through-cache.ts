import { unlessAborted } from "@assay/http"
import { AssayError, isAssayError } from "@assay/schemas"
import { resolveRange, type ByteRange, type ResolvedRange } from "../byte-range.ts"
import { quotePath } from "../file-path.ts"
import type { ReadOptions, ReadResult, StoredFile } from "../storage.ts"
import type { Fill } from "./fill.ts"
import { followFill } from "./growing-file.ts"
import type { ReadCache, RemoteFile } from "./read-cache.ts"

interface ThroughCache {
  readonly cache: ReadCache
  readonly file: RemoteFile
  /** Maximum number of bytes in a piece. */
  readonly chunkSize: number
}

/**
 * Maximum size of a file that is cached in the background if a part of it is read. Its other parts will probably be
 * read soon.
 */
const SMALL = 67_108_864

/**
 * Reads a file from the cache, from a running fill as far as it has come, or from the remote backend. A read of the
 * whole file starts a fill. A read of a part never waits for the bytes before it.
 */
export async function readThroughCache(through: ThroughCache, options: ReadOptions): Promise<ReadResult> {
  const { cache, file } = through
  const cached = await readCached(through, options)
  if (cached !== undefined) return cached
  const fill = cache.filling(file.key) ?? (isWhole(options.range) ? cache.startFilling(file, "read") : undefined)
  const followed = fill && (await readAlong(through, fill, options))
  if (followed !== undefined) return followed
  const result = await file.remote.read(file.path, options)
  if (result.range !== undefined && result.file.size <= Math.min(SMALL, cache.maxBytes))
    cache.startFilling(file, "ahead")
  return result
}

async function readCached(through: ThroughCache, options: ReadOptions): Promise<ReadResult | undefined> {
  const { cache, file, chunkSize } = through
  const found = await cache.read(file.key, options)
  if (found === undefined) return undefined
  const { facts, range, ...pieces } = found
  const stored = file.known ?? { path: file.path, ...facts }
  // An evicted file, or one on a failing disk, can still be read from the remote backend. Of a damaged copy, wrong
  // bytes were already returned.
  const mayContinue = (error: unknown) => !isAssayError(error, "content_damaged")
  const rest = { ...options, stored, part: range ?? wholeOf(stored), mayContinue }
  return { ...continueRemotely(through, cutPieces(pieces, chunkSize, options.signal), rest), range }
}

/** Follows a running fill. Returns undefined if the fill does not provide the bytes now. */
async function readAlong(through: ThroughCache, fill: Fill, options: ReadOptions): Promise<ReadResult | undefined> {
  const { range, signal } = options
  const open = await unlessAborted(fill.opened, signal)
  if (open === undefined) return undefined
  const { file: stored, growing } = open
  const part = range === undefined ? wholeOf(stored) : resolveRange(range, stored.size)
  if (part.start > growing.readable) return undefined
  const pieces = followFill(growing, part, { chunkSize: through.chunkSize, signal })
  if (pieces === undefined) {
    // The fill has just ended. Do not start over: a file that changes all the time would never be read to its end.
    await unlessAborted(
      fill.done.catch(() => false),
      signal,
    )
    return readCached(through, options)
  }
  const mayContinue = (error: unknown) => fill.remoteFailure() !== error
  const read = continueRemotely(through, pieces, { ...options, stored, part, mayContinue })
  return { ...read, range: range === undefined ? undefined : part }
}

interface Rest extends ReadOptions {
  readonly stored: StoredFile
  readonly part: ResolvedRange
  readonly mayContinue: (error: unknown) => boolean
}

/** Continues a read from the remote backend if the cache fails. */
function continueRemotely(
  { file: { remote, path } }: ThroughCache,
  pieces: Pick<ReadResult, "bytes" | "release">,
  { stored, part, signal, mayContinue }: Rest,
): ReadResult {
  let isHere = true
  async function openFallback(read: number): Promise<AsyncIterable<Uint8Array>> {
    isHere = false
    const range: ByteRange = { kind: "from", start: part.start + read, end: part.end }
    const { file, bytes } = await remote.read(path, { range, signal })
    if (file.etag === stored.etag && file.size === stored.size) return bytes
    await bytes[Symbol.asyncIterator]().return?.()
    const message = `File ${quotePath(path)} changed while it was read; read it again.`
    throw new AssayError("storage_changed", message, { context: { path } })
  }
  return {
    file: stored,
    bytes: withFallback(pieces.bytes, openFallback, (error) => signal?.aborted !== true && mayContinue(error)),
    release(piece) {
      if (isHere) pieces.release?.(piece)
    },
  }
}

function wholeOf({ size }: StoredFile): ResolvedRange {
  return { start: 0, end: size - 1 }
}

/** Returns whether a range covers a whole file of any size. */
function isWhole(range: ByteRange | undefined): boolean {
  return range === undefined || (range.kind === "from" && range.start === 0 && range.end === undefined)
}

type Pieces = Pick<ReadResult, "bytes" | "release">

/** Cuts bytes into pieces of at most `maxBytes` bytes, until `signal` is aborted. */
export function cutPieces({ bytes, release }: Pieces, maxBytes: number, signal: AbortSignal | undefined): Pieces {
  const iterator = bytes[Symbol.asyncIterator]()
  let left: Uint8Array | undefined
  let isCut = false
  const cut: AsyncIterableIterator<Uint8Array> = {
    async next() {
      signal?.throwIfAborted()
      let piece = left
      if (piece === undefined) {
        const step = await iterator.next()
        if (step.done === true) return step
        piece = step.value
      }
      if (piece.byteLength <= maxBytes) {
        left = undefined
        return { done: false, value: piece }
      }
      isCut = true
      left = piece.subarray(maxBytes)
      return { done: false, value: piece.subarray(0, maxBytes) }
    },
    async return() {
      left = undefined
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => cut,
  }
  if (release === undefined) return { bytes: cut }
  return {
    bytes: cut,
    release(piece) {
      // A piece that was cut can't be released in parts. The garbage collector frees it.
      if (!isCut) release(piece)
    },
  }
}

/**
 * Returns the pieces of `first`. If they fail with an error that `mayContinue` accepts, it continues with `openFallback`, which
 * is called with the number of bytes read so far.
 */
export function withFallback(
  first: AsyncIterable<Uint8Array>,
  openFallback: (read: number) => Promise<AsyncIterable<Uint8Array>>,
  mayContinue: (error: unknown) => boolean,
): AsyncIterableIterator<Uint8Array> {
  let pieces = first[Symbol.asyncIterator]()
  let read = 0
  let isFallback = false
  const bytes: AsyncIterableIterator<Uint8Array> = {
    async next() {
      try {
        const step = await pieces.next()
        if (step.done !== true) read += step.value.byteLength
        return step
      } catch (error) {
        if (isFallback || !mayContinue(error)) throw error
        isFallback = true
        pieces = (await openFallback(read))[Symbol.asyncIterator]()
        return bytes.next()
      }
    },
    async return() {
      await pieces.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => bytes,
  }
  return bytes
}

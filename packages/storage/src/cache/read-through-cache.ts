import { AssayError, isAssayError } from "@assay/schemas"
import { unlessAborted } from "@assay/http"
import type { ByteRange } from "../byte-range.ts"
import { quotePath } from "../quote-path.ts"
import { resolveRange, type ResolvedRange } from "../resolve-range.ts"
import type { ReadOptions, ReadResult, StoredFile } from "../storage.ts"
import { cutPieces } from "./cut-pieces.ts"
import type { Fill } from "./fill.ts"
import { followFill } from "./follow-fill.ts"
import type { RemoteFile, ReadCache } from "./read-cache.ts"
import { withRest } from "./with-rest.ts"

export interface ThroughCache {
  readonly cache: ReadCache
  readonly file: RemoteFile
  /** Bytes of a piece at the most. */
  readonly chunkSize: number
}

/** Up to this size a file of which a part is read is cached meanwhile: other parts are likely to be asked for soon. */
const SMALL = 67_108_864

/**
 * Reads a file from the cache; from the fill that is under way, as far as it has come; or from the remote side. Whoever
 * reads a file from its beginning to its end begins to fill it in; a part never waits for what is before it.
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
  // What is evicted, or lies on a disk that fails, is still on the remote side. Of a damaged copy wrong bytes were read already.
  const mayGoOn = (error: unknown) => !isAssayError(error, "content_damaged")
  const rest = { ...options, stored, part: range ?? wholeOf(stored), mayGoOn }
  return {
    ...goOn(through, cutPieces(pieces, chunkSize, options.signal), rest),
    ...(range === undefined ? {} : { range }),
  }
}

/** Undefined where the bytes are not coming this way now. */
async function readAlong(through: ThroughCache, fill: Fill, options: ReadOptions): Promise<ReadResult | undefined> {
  const { range, signal } = options
  const open = await unlessAborted(fill.opened, signal)
  if (open === undefined) return undefined
  const { file: stored, growing } = open
  const part = range === undefined ? wholeOf(stored) : resolveRange(range, stored.size)
  if (part.start > growing.readable) return undefined
  const pieces = followFill(growing, part, { chunkSize: through.chunkSize, signal })
  if (pieces === undefined) {
    // It has come to its end just now. Not from the beginning again: a file that changes all the time has no other end.
    await unlessAborted(
      fill.done.catch(() => false),
      signal,
    )
    return readCached(through, options)
  }
  const mayGoOn = (error: unknown) => fill.remoteFailure() !== error
  return {
    ...goOn(through, pieces, { ...options, stored, part, mayGoOn }),
    ...(range === undefined ? {} : { range: part }),
  }
}

interface Rest extends ReadOptions {
  readonly stored: StoredFile
  readonly part: ResolvedRange
  readonly mayGoOn: (error: unknown) => boolean
}

/** Pieces that come from the remote side from where the cache fails. */
function goOn(
  { file: { remote, path } }: ThroughCache,
  pieces: Pick<ReadResult, "bytes" | "release">,
  { stored, part, signal, mayGoOn }: Rest,
): ReadResult {
  let isHere = true
  async function openRest(read: number): Promise<AsyncIterable<Uint8Array>> {
    isHere = false
    const range: ByteRange = { kind: "from", start: part.start + read, end: part.end }
    const { file, bytes } = await remote.read(path, { range, ...(signal === undefined ? {} : { signal }) })
    if (file.etag === stored.etag && file.size === stored.size) return bytes
    await bytes[Symbol.asyncIterator]().return?.()
    const message = `File ${quotePath(path)} changed while it was read; read it again.`
    throw new AssayError("storage_changed", message, { context: { path } })
  }
  return {
    file: stored,
    bytes: withRest(pieces.bytes, openRest, (error) => signal?.aborted !== true && mayGoOn(error)),
    release(piece) {
      if (isHere) pieces.release?.(piece)
    },
  }
}

function wholeOf({ size }: StoredFile): ResolvedRange {
  return { start: 0, end: size - 1 }
}

/** Whether a range names all of a file, whatever its size. */
function isWhole(range: ByteRange | undefined): boolean {
  return range === undefined || (range.kind === "from" && range.start === 0 && range.end === undefined)
}

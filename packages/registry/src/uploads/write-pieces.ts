import { AssayError } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import type { StoredPiece } from "./upload-rows.ts"

/** A piece ends after this number of bytes. A server that is killed loses at most one piece. */
const PIECE_BYTES = 16 * 1024 * 1024
/** Milliseconds after which a piece ends, so that the offset of a slow upload advances. */
const PIECE_MS = 5000

export interface PieceSource {
  /** Offset of the first byte in the file. */
  readonly offset: number
  /** Offset that no byte may pass. */
  readonly limit: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly pathOf: () => FilePath
  readonly now: () => number
}

/** Yields the bytes of a request. @throws `too_large` */
export async function* limitBytes(bytes: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void> {
  let length = 0
  for await (const part of bytes) {
    length += part.byteLength
    if (length > limit) {
      throw new AssayError("too_large", `More bytes came than the ${limit} that were announced. Send exactly those.`)
    }
    yield part
  }
}

/**
 * Writes the bytes of a request as pieces, and yields each piece as soon as it is on the storage. If the request breaks off, the
 * bytes that arrived become the last piece, and then its error is thrown.
 * @throws `too_large`, the errors of `bytes` and of the storage
 */
export async function* writePieces(storage: Storage, source: PieceSource): AsyncGenerator<StoredPiece, void> {
  const { offset, limit, pathOf, now } = source
  const parts = limitBytes(source.bytes, limit - offset)
  // An error of the request ends a piece like the end of the request, and is thrown after it.
  let failure: { readonly error: unknown } | undefined
  async function next(): Promise<Uint8Array | undefined> {
    try {
      for (;;) {
        const { done, value } = await parts.next()
        if (done === true) return undefined
        if (value.byteLength > 0) return value
      }
    } catch (error) {
      failure = { error }
      return undefined
    }
  }
  try {
    let start = offset
    for (let first = await next(); first !== undefined; first = failure === undefined ? await next() : undefined) {
      const path = pathOf()
      const counted = { size: 0 }
      await storage.write(path, onePiece(first, next, { counted, until: now() + PIECE_MS, now }))
      yield { start, size: counted.size, path }
      start += counted.size
    }
  } finally {
    await parts.return()
  }
  if (failure !== undefined) throw failure.error
}

async function* onePiece(
  first: Uint8Array,
  next: () => Promise<Uint8Array | undefined>,
  { counted, until, now }: { readonly counted: { size: number }; readonly until: number; readonly now: () => number },
): AsyncGenerator<Uint8Array, void> {
  for (let part: Uint8Array | undefined = first; part !== undefined; part = await next()) {
    counted.size += part.byteLength
    yield part
    if (counted.size >= PIECE_BYTES || now() >= until) return
  }
}

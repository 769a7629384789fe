import { AssayError } from "@assay/schemas"
import type { FilePath, GrownFile, Storage } from "@assay/storage"
import type { StoredPiece } from "../upload-rows.ts"

/** A piece ends after this number of bytes on an object store, and is kept each time that it has grown by it in a folder. A server that is killed loses at most twice as much. */
const PIECE_BYTES = 16 * 1024 * 1024
/** Milliseconds after which bytes are kept, so that the offset of a slow upload advances. */
const PIECE_MS = 5000

export interface PieceSource {
  /** Offset of the first byte in the file. */
  readonly offset: number
  /** Offset that no byte may pass. */
  readonly limit: number
  readonly bytes: AsyncIterable<Uint8Array>
  /** Whether nobody else uses the memory of the bytes. Default false. */
  readonly disposable?: boolean | undefined
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

/** A piece as a request wrote it. */
export interface WrittenPiece extends StoredPiece {
  /** Its file, if it is on this machine. Nobody writes to it any more. */
  readonly grown?: GrownFile | undefined
}

/**
 * Writes the bytes of a request as pieces, and calls `keep` with each piece that is on the storage. On a local folder there is one piece. It
 * is kept again each time that it has grown. If the request breaks off, the bytes that arrived are kept, and then its error is thrown.
 * Returns the last piece.
 * @throws `too_large`, the errors of `bytes`, of `keep` and of the storage
 */
export async function writePieces(
  storage: Storage,
  source: PieceSource,
  keep: (piece: StoredPiece) => Promise<void>,
): Promise<WrittenPiece | undefined> {
  const { offset, limit } = source
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
  const write = storage.grow === undefined ? writePiece : growPiece
  let last: WrittenPiece | undefined
  try {
    let start = offset
    for (let first = await next(); first !== undefined; first = failure === undefined ? await next() : undefined) {
      last = await write(storage, source, { start, first, next, keep })
      start += last.size
    }
  } finally {
    await parts.return()
  }
  if (failure !== undefined) throw failure.error
  return last
}

interface PieceToWrite {
  readonly start: number
  readonly first: Uint8Array
  /** Returns the bytes that follow. Undefined at the end of the request. */
  readonly next: () => Promise<Uint8Array | undefined>
  readonly keep: (piece: StoredPiece) => Promise<void>
}

/** Writes a piece that is kept when it is whole. */
async function writePiece(
  storage: Storage,
  { pathOf, now, disposable }: PieceSource,
  { start, first, next, keep }: PieceToWrite,
): Promise<WrittenPiece> {
  const path = pathOf()
  const until = now() + PIECE_MS
  let size = 0
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    for (let part: Uint8Array | undefined = first; part !== undefined; part = await next()) {
      size += part.byteLength
      yield part
      if (size >= PIECE_BYTES || now() >= until) return
    }
  }
  await storage.write(path, bytes(), { disposable })
  await keep({ start, size, path })
  return { start, size, path }
}

/** Writes the rest of a request as one piece, which is kept as it grows. */
async function growPiece(
  storage: Storage,
  { pathOf, now, disposable }: PieceSource,
  { start, first, next, keep }: PieceToWrite,
): Promise<WrittenPiece> {
  const path = pathOf()
  let until = now() + PIECE_MS
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    for (let part: Uint8Array | undefined = first; part !== undefined; part = await next()) yield part
  }
  const grown = await storage.grow?.(path, bytes(), {
    disposable,
    every: PIECE_BYTES,
    isDue: () => now() >= until,
    async onDurable(size) {
      await keep({ start, size, path })
      until = now() + PIECE_MS
    },
  })
  return { start, size: grown?.size ?? 0, path, grown }
}

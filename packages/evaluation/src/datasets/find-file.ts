import { createHash } from "node:crypto"
import { isAssayError } from "@assay/schemas"
import {
  resolveRange,
  type FilePath,
  type ReadOptions,
  type ReadResult,
  type Storage,
  type StoredFile,
} from "@assay/storage"

/** A file, and its storage. */
export interface FoundFile {
  readonly file: StoredFile
  readonly storage: Storage
}

interface FindOptions {
  readonly signal?: AbortSignal
}

/** Files of an object store up to this size are read when they are looked for. */
const SMALL_BYTES = 262_144

/**
 * Finds a file. The bytes of a small one of an object store come with its facts, and the returned storage reads them from memory: one request
 * instead of one for the facts and one for each read, each of which a busy store may refuse. Such reads return the version that was found.
 * @throws `not_found`, or another error of the storage
 */
export async function findFile(storage: Storage, path: FilePath, options: FindOptions = {}): Promise<FoundFile> {
  if (storage.type !== "objstore") return { file: await storage.stat(path, options), storage }
  try {
    const { file, bytes } = await storage.read(path, {
      ...options,
      range: { kind: "from", start: 0, end: SMALL_BYTES - 1 },
    })
    const found = await collect(bytes)
    return { file, storage: isWhole(found, file) ? withFile(storage, file, found) : storage }
  } catch (error) {
    if (!isAssayError(error, "range_not_satisfiable")) throw error
    // An empty file has no range.
    return { file: await storage.stat(path, options), storage }
  }
}

/** Copies the pieces, because their memory can be used again. */
async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return Buffer.concat(copies)
}

/** Bytes that are not those of the stored digest are read again: then the storage says what is wrong. */
function isWhole(bytes: Buffer, { size, sha256 }: StoredFile): boolean {
  return bytes.length === size && (sha256 === null || createHash("sha256").update(bytes).digest("hex") === sha256)
}

/** Returns the storage with one file in memory. */
function withFile(storage: Storage, file: StoredFile, bytes: Buffer): Storage {
  return {
    ...storage,
    async stat(path, options) {
      return path === file.path ? file : storage.stat(path, options)
    },
    async read(path, options = {}) {
      options.signal?.throwIfAborted()
      return path === file.path ? readPart(file, bytes, options) : storage.read(path, options)
    },
  }
}

function readPart(file: StoredFile, bytes: Buffer, { range }: ReadOptions): ReadResult {
  const part = range === undefined ? undefined : resolveRange(range, file.size)
  // A copy: its memory may be given to another thread.
  const piece = new Uint8Array(part === undefined ? bytes : bytes.subarray(part.start, part.end + 1))
  return { file, ...(part === undefined ? {} : { range: part }), bytes: onlyPiece(piece) }
}

async function* onlyPiece(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece
}

import { createHash, type Hash } from "node:crypto"
import type { NewFile } from "./new-file.ts"

/** Number of bytes after which a flush to disk starts, so that the last wait is short. */
const SYNC_EVERY = 67_108_864

interface WriteBytesOptions {
  /**
   * Number of bytes that are collected before a write. Memory holds twice as many: one part is filled while the other
   * is written.
   */
  readonly bufferSize: number
  /** Whether to resolve only when every byte is on the disk. */
  readonly durable: boolean
  /** Whether the memory of a piece is freed when the piece is written. Default false. */
  readonly disposable?: boolean | undefined
  /** The digest of what is already in the file. Default: it is empty. */
  readonly hash?: Hash
  /** Wraps calls to the disk, so that their errors can be distinguished from errors of the source. */
  readonly onDisk: <T>(work: () => Promise<T>) => Promise<T>
  /** Marks beginnings of the file that a power failure can't undo, while further bytes arrive. */
  readonly marks?: Marks | undefined
}

interface Marks {
  /** Whether the bytes so far become such a beginning, although fewer than `syncEvery` arrived. */
  readonly isDue: () => boolean
  /** Number of bytes after which a flush to disk starts. */
  readonly syncEvery: number
  /** Called when the first `size` bytes are on the disk. */
  readonly onDurable: (size: number) => Promise<void>
}

/** Appends `bytes` to a file and computes its SHA-256 while the disk works. Returns the number of bytes, and the digest of the whole file. */
export async function writeBytes(
  bytes: AsyncIterable<Uint8Array>,
  file: Pick<NewFile, "writev" | "datasync" | "sync">,
  options: WriteBytesOptions,
): Promise<{ size: number; sha256: string }> {
  const { bufferSize, durable, disposable = false, hash = createHash("sha256"), onDisk } = options
  const batch = createPieceBatch()
  const flushing = createFlushing(file, options)
  let size = 0
  let writing = Promise.resolve()

  async function write(pieces: readonly Uint8Array[]): Promise<void> {
    await onDisk(() => writePieces(file, pieces))
    if (disposable) freePieces(pieces)
  }

  async function flush(): Promise<void> {
    await writing
    writing = write(batch.take())
    writing.catch(() => {})
    if (durable) await flushing.begin(writing, size)
  }

  try {
    for await (const piece of bytes) {
      hash.update(piece)
      size += piece.byteLength
      batch.add(piece)
      if (batch.byteLength >= bufferSize || flushing.isDue()) await flush()
    }
    await flush()
    await writing
    await flushing.end()
  } finally {
    // The caller closes the file, whose descriptor can then be that of another file.
    await Promise.allSettled([writing, flushing.end()])
  }
  if (durable) await onDisk(() => file.sync())
  return { size, sha256: hash.digest("hex") }
}

interface Flushing {
  /** Whether bytes should be written to the disk now, however few they are. */
  isDue(): boolean
  /** Starts to write the first `size` bytes to the disk if enough have arrived. They are in the file after `written`. */
  begin(written: Promise<void>, size: number): Promise<void>
  end(): Promise<void>
}

/** Flushes a file to disk now and then. The next flush waits for the one before it. */
function createFlushing(file: Pick<NewFile, "datasync">, { onDisk, marks }: WriteBytesOptions): Flushing {
  const every = marks?.syncEvery ?? SYNC_EVERY
  let begun = 0
  let isBusy = false
  let syncing = Promise.resolve()

  async function flush(written: Promise<void>, size: number): Promise<void> {
    isBusy = true
    try {
      await written
      await onDisk(() => file.datasync())
      await marks?.onDurable(size)
    } finally {
      isBusy = false
    }
  }

  const isDue = () => !isBusy && marks?.isDue() === true

  return {
    isDue,
    async begin(written, size) {
      const waiting = size - begun
      if (waiting < every && !(isDue() && waiting > 0)) return
      begun = size
      await syncing
      syncing = flush(written, size)
      syncing.catch(() => {})
    },
    end: () => syncing,
  }
}

/** The part of a file that takes pieces. */
export type PieceWriter = Pick<NewFile, "writev">

/** Appends all of `pieces`. The system may write fewer bytes per call than it is given. */
export async function writePieces(file: PieceWriter, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    rest = dropBytes(rest, bytesWritten)
  }
}

/** Frees the memory of pieces that fill it. The others are parts of a larger memory, such as the pool of small buffers. */
function freePieces(pieces: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of pieces) {
    if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
  }
}

function dropBytes(pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.byteLength) return [piece.subarray(left), ...pieces.slice(index + 1)]
    left -= piece.byteLength
  }
  return []
}

/**
 * Average size in bytes below which pieces are joined, so that a client that sends tiny pieces does not fill the memory
 * with objects.
 */
const SMALL = 8192
/** Number of pieces after which their average size is checked. */
const TAIL = 256

/** Collects pieces without copying them until they are worth writing. */
interface PieceBatch {
  readonly byteLength: number
  add(piece: Uint8Array): void
  /** Returns all pieces in order and empties the batch. */
  take(): Uint8Array[]
}

export function createPieceBatch(): PieceBatch {
  let pieces: Uint8Array[] = []
  let tail: Uint8Array[] = []
  let tailBytes = 0
  let byteLength = 0

  function settleTail(): void {
    if (tailBytes < tail.length * SMALL && tail.length > 1) pieces.push(Buffer.concat(tail, tailBytes))
    else pieces.push(...tail)
    tail = []
    tailBytes = 0
  }

  return {
    get byteLength() {
      return byteLength
    },
    add(piece) {
      if (piece.byteLength === 0) return
      tail.push(piece)
      tailBytes += piece.byteLength
      byteLength += piece.byteLength
      if (tail.length === TAIL) settleTail()
    },
    take() {
      settleTail()
      const taken = pieces
      pieces = []
      byteLength = 0
      return taken
    },
  }
}

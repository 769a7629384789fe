import type { Hash } from "node:crypto"
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { AssayError } from "@assay/schemas"
import { diskFailure, openRegularFile } from "@assay/storage"

const NO_ROOM = "There is no room left for the upload. The bytes that arrived are kept; continue when there is room."

interface Piece {
  readonly offset: number
  /** Offset in the file that the piece must not pass. */
  readonly limit: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly hash?: Hash | undefined
  /** Every write goes through this gate. */
  readonly gate?: PartGate | undefined
}

/**
 * Writes a piece into a file and returns the offset of its end.
 * @throws `too_large`, `disk_full`, `upload_gone` of the gate, and the errors of `bytes`
 */
export async function writePiece(handle: FileHandle, { offset, limit, bytes, hash, gate }: Piece): Promise<number> {
  let end = offset
  for await (const part of bytes) {
    if (end + part.byteLength > limit) {
      throw new AssayError(
        "too_large",
        `More bytes came than the ${limit - offset} that were announced. Send exactly those.`,
      )
    }
    hash?.update(part)
    const position = end
    const write = () => orDiskFull(NO_ROOM, () => writeAll(handle, part, position))
    await (gate === undefined ? write() : gate.write(write))
    end += part.byteLength
  }
  return end
}

/** Writes all bytes: the system can write less than it is given, for example when the disk is nearly full. */
async function writeAll(handle: FileHandle, part: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < part.byteLength;) {
    const { bytesWritten } = await handle.write(part, written, part.byteLength - written, position + written)
    written += bytesWritten
  }
}

/** The digest that a client announced for one piece. */
export interface PieceChecksum {
  readonly hash: Hash
  readonly expected: Buffer
}

export interface AppendOptions {
  readonly offset: number
  /** Bytes of the whole file. No piece passes its end. */
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly checksum: PieceChecksum | undefined
}

/**
 * Appends a piece to a file, makes it durable, and returns the new length. If the piece breaks off, the bytes that arrived
 * stay. If it has a checksum or is too long, none of its bytes stay.
 * @throws `upload_checksum`, `too_large`, `disk_full`, and the errors of `bytes`
 */
export async function appendPiece(file: string, { offset, length, bytes, checksum }: AppendOptions): Promise<number> {
  const handle = await openRegularFile(file, constants.O_RDWR)
  try {
    const end = await writePiece(handle, { offset, limit: length, bytes, hash: checksum?.hash })
    if (checksum !== undefined && !checksum.hash.digest().equals(checksum.expected)) {
      throw new AssayError("upload_checksum", "The piece does not have the checksum in Upload-Checksum. Send it again.")
    }
    await handle.sync()
    return end
  } catch (error) {
    if (checksum !== undefined || (error instanceof AssayError && error.code === "too_large"))
      await handle.truncate(offset)
    throw error
  } finally {
    await handle.close()
  }
}

/** Returns the result of `work`. @throws `disk_full` with `message` if the system has no room, and other errors like `diskFailure` */
export async function orDiskFull<T>(message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failure = diskFailure(error)
    if (failure?.code === "disk_full") throw new AssayError("disk_full", message, { cause: error })
    throw failure ?? error
  }
}

/**
 * Allows writes to an upload until it is sealed. The bytes that were verified are then the bytes that are kept, even if
 * another request still sends.
 */
export interface PartGate {
  /** Runs one write. @throws `upload_gone` if the upload is sealed */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Refuses new writes, and returns when all running writes have ended. */
  seal(): Promise<void>
  /** Accepts writes again, after the bytes did not match the announced digest. */
  unseal(): void
}

/** The gates of the uploads in use, by name. */
interface PartGates {
  /** Runs `work` with the gate of `name`. All who use the same name at the same time share one gate. */
  use<T>(name: string, work: (gate: PartGate) => Promise<T>): Promise<T>
}

export function createPartGates(): PartGates {
  const gates = new Map<string, { readonly gate: PartGate; users: number }>()
  return {
    async use(name, work) {
      const shared = gates.get(name) ?? { gate: createPartGate(), users: 0 }
      gates.set(name, shared)
      shared.users += 1
      try {
        return await work(shared.gate)
      } finally {
        shared.users -= 1
        if (shared.users === 0) gates.delete(name)
      }
    },
  }
}

function createPartGate(): PartGate {
  const writing = new Set<Promise<unknown>>()
  let isSealed = false
  return {
    async write(work) {
      if (isSealed) {
        const message = "The object is complete or is being completed. Bytes of a part that arrive now are too late."
        throw new AssayError("upload_gone", message)
      }
      const write = work()
      writing.add(write)
      try {
        return await write
      } finally {
        writing.delete(write)
      }
    },
    async seal() {
      isSealed = true
      await Promise.allSettled(writing)
    },
    unseal() {
      isSealed = false
    },
  }
}

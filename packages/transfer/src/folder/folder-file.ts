import { createHash, hash } from "node:crypto"
import { closeSync, fstatSync, readSync, type BigIntStats } from "node:fs"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { localFailure, openRegularFile, openRegularFileSync } from "@assay/storage"
import type { TransferCache } from "../sides/transfer-cache.ts"
import { SMALL_FILE_BYTES, type TransferFile } from "../sides/transfer-side.ts"
import type { LocalFile } from "./walk-folder.ts"

const CHUNK_BYTES = 1_048_576

/** Returns a file of a local folder as a file that can be moved. */
export function createFolderFile(file: LocalFile, cache: TransferCache): TransferFile {
  const { path, stats } = file
  const size = Number(stats.size)

  const sum = createRunningSum()

  /** Computes the digest of what no stream has read yet, and of all before it. */
  async function digest(signal: AbortSignal): Promise<string> {
    if (size <= SMALL_FILE_BYTES) return hash("sha256", readPiece(file, 0, size), "hex")
    let position = sum.position()
    for await (const chunk of readChunks(file, position, signal)) {
      sum.add(chunk, position)
      position += chunk.length
    }
    return sum.hex()
  }

  return {
    path,
    size,
    version: `${stats.size}-${stats.mtimeNs}-${stats.ino}`,
    sha256: async (signal) => {
      const known = cache.digest(stats)
      if (known !== undefined) return known
      const computed = await digest(signal)
      cache.keepDigest(stats, computed)
      return computed
    },
    piece: async (start, end) => readPiece(file, start, end),
    async *stream(start, signal) {
      const isKnown = cache.digest(stats) !== undefined
      let position = start
      for await (const chunk of readChunks(file, start, signal)) {
        // Bytes that are read anyway are not read again for the digest.
        if (!isKnown) sum.add(chunk, position)
        position += chunk.length
        yield chunk
      }
    },
  }
}

interface RunningSum {
  /** Number of bytes from the start of the file that are in the digest. */
  position(): number
  /** Adds the bytes of a chunk that follow `position`. */
  add(chunk: Uint8Array, start: number): void
  hex(): string
}

/** Creates a SHA-256 of a file whose bytes can be read more than once. */
function createRunningSum(): RunningSum {
  const sum = createHash("sha256")
  let position = 0
  return {
    position: () => position,
    add(chunk, start) {
      const end = start + chunk.length
      if (start > position || end <= position) return
      sum.update(chunk.subarray(position - start))
      position = end
    },
    hex: () => sum.copy().digest("hex"),
  }
}

/** Synchronous: for small files, promises would take longer than the reading. */
function readPiece({ path, systemPath, stats }: LocalFile, start: number, end: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(end - start)
  try {
    const descriptor = openRegularFileSync(systemPath)
    try {
      let length = 0
      for (let count = -1; count !== 0 && length < bytes.length; length += Math.max(0, count)) {
        count = readSync(descriptor, bytes, length, bytes.length - length, start + length)
      }
      if (length < bytes.length || !isSame(stats, fstatSync(descriptor, { bigint: true }))) throw changed(path)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw localFailure(error, "read", systemPath)
  }
  return bytes
}

async function* readChunks(
  { path, systemPath, stats }: LocalFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const size = Number(stats.size)
  try {
    await using handle = await openRegularFile(systemPath)
    for (let position = start; position < size;) {
      signal.throwIfAborted()
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, size - position))
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) throw changed(path)
      position += bytesRead
      // Checked before the last bytes are sent, so that the receiver never completes a file of two versions.
      if (position === size && !isSame(stats, await handle.stat({ bigint: true }))) throw changed(path)
      yield chunk.subarray(0, bytesRead)
    }
  } catch (error) {
    throw localFailure(error, "read", systemPath)
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino
}

function changed(path: string): AssayError {
  return new AssayError("storage_changed", `'${printable(path)}' changed while it was read.`, { context: { path } })
}

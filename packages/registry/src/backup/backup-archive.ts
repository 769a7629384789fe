import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import type { TarWriter } from "./tar/tar-writer.ts"

const PIECE = 1_048_576
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A file as it went into the archive. */
export interface ArchivedFile {
  readonly size: number
  readonly mtimeNs: bigint
  /** Of the bytes in the archive. */
  readonly sha256: string
}

/** Adds a file of this machine as it is now; of one that grows, what it has by now. Undefined for one that is gone or no file. */
export async function archiveFile(
  tar: TarWriter,
  file: string,
  path: string,
  { onBytes, signal }: { readonly onBytes: (count: number) => void; readonly signal: AbortSignal },
): Promise<ArchivedFile | undefined> {
  const handle = await open(file, FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(error.code ?? "")) return undefined
    throw error
  })
  if (handle === undefined) return undefined
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) return undefined
    const { mtimeNs } = stats
    const size = Number(stats.size)
    const hash = createHash("sha256")
    const mode = Number(stats.mode & 0o777n)
    await tar.add({ path, size, mtimeNs, mode }, pieces(handle, size, hash, onBytes, signal))
    return { size, mtimeNs, sha256: hash.digest("hex") }
  } finally {
    await handle.close()
  }
}

async function* pieces(
  handle: FileHandle,
  size: number,
  hash: ReturnType<typeof createHash>,
  onBytes: (count: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < size;) {
    signal.throwIfAborted()
    const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE, size - start))
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, start)
    if (bytesRead === 0) return
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    start += bytesRead
    onBytes(bytesRead)
    yield piece
  }
}

import { createHash, type Hash } from "node:crypto"
import { constants } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { formatTimestamp } from "@assay/schemas"
import { HEADER_PATH, MANIFEST_PATH, SUMS_PATH, type BackupHeader, type BackupManifest } from "./backup-manifest.ts"
import { openSums } from "./sums.ts"
import { createTarWriter, type TarWriter } from "./tar-writer.ts"
import type { BackupOptions, BackupSource } from "./write-backup.ts"

/** A file as it is in the archive. */
export interface ArchivedFile {
  readonly size: number
  readonly mtimeNs: bigint
  /** SHA-256 of the bytes in the archive. */
  readonly sha256: string
}

/** An archive that is being written. */
export interface BackupArchive {
  /** Sets the totals that progress reports show. */
  begin(totals: { readonly files: number; readonly bytes: number }): void
  /**
   * Adds a file of this machine with the bytes that it has now. A file that grows meanwhile is cut at this size. Returns
   * undefined if the file is gone or is not a regular file.
   */
  readonly file: (file: string, path: string) => Promise<ArchivedFile | undefined>
  bytes(bytes: Uint8Array, path: string): Promise<void>
  /** Writes the list of digests and the manifest, and gives the archive its name. */
  end(found: ManifestFacts): Promise<BackupManifest>
}

type ManifestFacts = Omit<BackupManifest, keyof BackupHeader | "files" | "bytes" | "sums_sha256">

interface ArchiveOptions
  extends Pick<BackupSource, "now" | "version">, Pick<BackupOptions, "output" | "signal" | "onProgress"> {
  /** An empty folder for temporary files. */
  readonly folder: string
}

/** Begins an archive: writes its header. */
export async function openBackupArchive(options: ArchiveOptions): Promise<BackupArchive> {
  const { output, signal, onProgress } = options
  const tar = createTarWriter((bytes) => output.write(bytes))
  const sumsFile = join(options.folder, SUMS_PATH)
  const sums = openSums(sumsFile)
  const time = options.now()
  const header: BackupHeader = {
    format: "assay-backup",
    format_version: 1,
    created_at: formatTimestamp(time),
    version: options.version,
  }
  const done = { files: 0, bytes: 0 }
  let totals = { totalFiles: 0, totalBytes: 0 }
  const onBytes = (count: number) => {
    done.bytes += count
    onProgress?.({ ...done, ...totals })
  }
  await addBytes(tar, json(header), HEADER_PATH, time)
  return {
    begin: ({ files, bytes }) => {
      totals = { totalFiles: files, totalBytes: bytes }
    },
    file: async (file, path) => {
      signal.throwIfAborted()
      const archived = await archiveFile(tar, file, path, { onBytes, signal })
      if (archived === undefined) return undefined
      await sums.add(archived.sha256, path)
      done.files += 1
      return archived
    },
    async bytes(bytes, path) {
      await addBytes(tar, bytes, path, time)
      await sums.add(createHash("sha256").update(bytes).digest("hex"), path)
      done.files += 1
      done.bytes += bytes.byteLength
    },
    async end(facts) {
      const manifest = { ...header, ...facts, ...done, sums_sha256: await sums.end() }
      await archiveFile(tar, sumsFile, SUMS_PATH, { onBytes: () => {}, signal })
      await addBytes(tar, json(manifest), MANIFEST_PATH, time)
      await tar.end()
      await output.finish()
      return manifest
    },
  }
}

interface CopyOptions {
  readonly onBytes: (count: number) => void
  readonly signal: AbortSignal
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function archiveFile(
  tar: TarWriter,
  file: string,
  path: string,
  options: CopyOptions,
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
    await tar.add({ path, size, mtimeNs, mode }, pieces(handle, size, hash, options))
    return { size, mtimeNs, sha256: hash.digest("hex") }
  } finally {
    await handle.close()
  }
}

const PIECE_BYTES = 1_048_576

async function* pieces(
  handle: FileHandle,
  size: number,
  hash: Hash,
  { onBytes, signal }: CopyOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < size;) {
    signal.throwIfAborted()
    const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, size - start))
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, start)
    if (bytesRead === 0) return
    const piece = buffer.subarray(0, bytesRead)
    hash.update(piece)
    start += bytesRead
    onBytes(bytesRead)
    yield piece
  }
}

async function addBytes(tar: TarWriter, bytes: Uint8Array, path: string, time: number): Promise<void> {
  await tar.add({ path, size: bytes.byteLength, mtimeNs: BigInt(time) * 1_000_000n, mode: 0o600 }, [bytes])
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

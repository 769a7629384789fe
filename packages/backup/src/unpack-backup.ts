import { createHash } from "node:crypto"
import { open, rm, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { PassThrough, Readable, type Duplex } from "node:stream"
import { createGunzip, createZstdDecompress } from "node:zlib"
import { createFolder } from "@assay/storage"
import { AssayError, messageOf } from "@assay/schemas"
import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import {
  BackupHeader,
  BackupManifest,
  type FilesetFiles,
  HEADER_PATH,
  isBackupPath,
  isFilesetFile,
  MANIFEST_PATH,
  SUMS_PATH,
} from "./backup-manifest.ts"
import { compareSums, openSums } from "./sums.ts"
import { readTar, type ReadTarEntry } from "./read-tar.ts"

/** Maximum size of the header and of the manifest, in bytes. */
const MAX_JSON = 1_048_576

const NOT_OURS = "It is not an archive of 'assay backup', or one of a later version."

export interface UnpackOptions {
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: { readonly files: number; readonly bytes: number }) => void) | undefined
}

/**
 * Unpacks a backup into an empty folder and checks every digest. It creates only regular files, and only under paths that
 * a backup can have.
 * @throws `bad_backup` if the archive is not a backup, is cut short, or has other bytes than were backed up
 */
export async function unpackBackup(
  archive: AsyncIterable<Uint8Array>,
  folder: string,
  { signal, onProgress }: UnpackOptions,
): Promise<{ readonly manifest: BackupManifest; readonly filesets: FilesetFiles }> {
  const computed = join(folder, ".sums")
  const listed = join(folder, ".sums-of-archive")
  const sums = openSums(computed)
  const done = { files: 0, bytes: 0 }
  const filesets = { files: 0, bytes: 0 }
  let computedDigest: string | undefined
  let manifest: BackupManifest | undefined
  let isFirst = true
  try {
    for await (const entry of readTar(decompressed(archive))) {
      signal.throwIfAborted()
      const { path } = entry
      if (isFirst) await readJson(entry, BackupHeader)
      else if (manifest !== undefined) throw new Error(`'${path}' comes after the end.`)
      else if (path === SUMS_PATH && computedDigest === undefined) {
        computedDigest = await sums.end()
        await unpackFile(entry, listed, () => {})
      } else if (path === MANIFEST_PATH) manifest = await readJson(entry, BackupManifest)
      else if (computedDigest === undefined && isBackupPath(path)) {
        const sha256 = await unpackFile(entry, join(folder, path), (count) => {
          signal.throwIfAborted()
          done.bytes += count
          onProgress?.(done)
        })
        await sums.add(sha256, path)
        done.files += 1
        if (isFilesetFile(path)) {
          filesets.files += 1
          filesets.bytes += entry.size
        }
      } else throw new Error(`A backup has no entry '${path.slice(0, 200)}'.`)
      isFirst = false
    }
    if (manifest === undefined || computedDigest === undefined) throw new Error("The archive is cut short.")
    if (computedDigest !== manifest.sums_sha256) throw new Error(await compareSums(computed, listed))
    if (manifest.files !== done.files) throw new Error(`It has ${done.files} files instead of ${manifest.files}.`)
  } catch (error) {
    signal.throwIfAborted()
    if (isSystemError(error) || error instanceof AssayError) throw error
    throw badBackup(isFirst ? new Error(NOT_OURS, { cause: error }) : error)
  }
  await rm(computed)
  await rm(listed)
  return { manifest, filesets }
}

async function* decompressed(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = archive[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) throw new Error("It is empty.")
  async function* all() {
    yield first.value as Uint8Array
    for (;;) {
      const step = await iterator.next()
      if (step.done === true) return
      yield step.value
    }
  }
  const source = Readable.from(all(), { objectMode: false })
  const target = decompressionFor(first.value)
  source.on("error", (error) => target.destroy(error))
  try {
    yield* source.pipe(target) as AsyncIterable<Uint8Array>
  } finally {
    source.destroy()
    target.destroy()
  }
}

/** Recognises the compression by the first bytes. The name of the archive does not matter. */
function decompressionFor(first: Uint8Array): Duplex {
  if (first[0] === 0x1f && first[1] === 0x8b) return createGunzip()
  if (first[0] === 0x28 && first[1] === 0xb5 && first[2] === 0x2f && first[3] === 0xfd) return createZstdDecompress()
  return new PassThrough()
}

/** Returns the SHA-256 of the written bytes. An existing file is never overwritten. */
async function unpackFile(entry: ReadTarEntry, file: string, onBytes: (count: number) => void): Promise<string> {
  await createFolder(dirname(file), { mode: 0o700, durable: false })
  const handle = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Error(`It has '${entry.path}' twice.`) : error
  })
  const hash = createHash("sha256")
  try {
    for await (const piece of entry.bytes) {
      hash.update(piece)
      await handle.writeFile(piece)
      onBytes(piece.byteLength)
    }
  } finally {
    await handle.close()
  }
  const seconds = Number(entry.mtimeNs / 1_000n) / 1e6
  await utimes(file, seconds, seconds)
  return hash.digest("hex")
}

async function readJson<T extends TSchema>(entry: ReadTarEntry, schema: T): Promise<Static<T>> {
  const parts: Uint8Array[] = []
  if (entry.size <= MAX_JSON) for await (const piece of entry.bytes) parts.push(Buffer.from(piece))
  const isExpected = [HEADER_PATH, MANIFEST_PATH].includes(entry.path)
  const value = isExpected ? parseJson(Buffer.concat(parts)) : undefined
  if (Value.Check(schema, value)) return value
  throw new Error(NOT_OURS)
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"))
  } catch {
    return undefined
  }
}

function badBackup(error: unknown): AssayError {
  const reason = messageOf(error)
  return new AssayError("bad_backup", `The archive can't be restored: ${reason}`, { cause: error })
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error
}

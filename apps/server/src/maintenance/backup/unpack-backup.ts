import { createHash } from "node:crypto"
import { mkdir, open, rm, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { AssayError } from "@assay/schemas"
import { compileCheck, type CheckedValue } from "../../validation/compile-check.ts"
import { readTar, type ReadTarEntry } from "../tar/tar-reader.ts"
import { BackupHeader, BackupManifest, HEADER_PATH, isBackupPath, MANIFEST_PATH, SUMS_PATH } from "./backup-manifest.ts"
import { compareSums } from "./compare-sums.ts"
import { decompressionFor } from "./compression.ts"
import { openSums } from "./sums.ts"

/** Longest header or manifest. */
const MAX_JSON = 1_048_576

const NOT_OURS = "It is not an archive of 'assay backup', or one of a later version."

export interface UnpackOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { readonly files: number; readonly bytes: number }) => void
}

/**
 * Unpacks a backup into an empty folder and checks every digest. Only paths that a backup has are made, and only files.
 * @throws `bad_backup` for what is no backup, is cut short, or has other bytes than were backed up
 */
export async function unpackBackup(
  archive: AsyncIterable<Uint8Array>,
  folder: string,
  { signal, onProgress }: UnpackOptions,
): Promise<BackupManifest> {
  const own = join(folder, ".sums")
  const told = join(folder, ".sums-of-archive")
  const sums = openSums(own)
  const done = { files: 0, bytes: 0 }
  let ownDigest: string | undefined
  let manifest: BackupManifest | undefined
  let isFirst = true
  try {
    for await (const entry of readTar(decompressed(archive))) {
      signal.throwIfAborted()
      const { path } = entry
      if (isFirst) await readJson(entry, compileCheck(BackupHeader))
      else if (manifest !== undefined) throw new Error(`'${path}' comes after the end.`)
      else if (path === SUMS_PATH && ownDigest === undefined) {
        ownDigest = await sums.end()
        await unpackFile(entry, told, () => {})
      } else if (path === MANIFEST_PATH) manifest = await readJson(entry, compileCheck(BackupManifest))
      else if (ownDigest === undefined && isBackupPath(path)) {
        const sha256 = await unpackFile(entry, join(folder, path), (count) => {
          signal.throwIfAborted()
          done.bytes += count
          onProgress?.(done)
        })
        await sums.add(sha256, path)
        done.files += 1
      } else throw new Error(`A backup has no entry '${path.slice(0, 200)}'.`)
      isFirst = false
    }
    if (manifest === undefined || ownDigest === undefined) throw new Error("The archive is cut short.")
    if (ownDigest !== manifest.sums_sha256) throw new Error(await compareSums(own, told))
    if (manifest.files !== done.files) throw new Error(`It has ${done.files} files instead of ${manifest.files}.`)
  } catch (error) {
    signal.throwIfAborted()
    if (isOfSystem(error) || error instanceof AssayError) throw error
    throw badBackup(isFirst ? new Error(NOT_OURS, { cause: error }) : error)
  }
  await rm(own)
  await rm(told)
  return manifest
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

/** Returns the digest of what was written. Nothing that is there already is written over. */
async function unpackFile(entry: ReadTarEntry, file: string, onBytes: (count: number) => void): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
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

async function readJson<T>(entry: ReadTarEntry, check: (value: unknown) => CheckedValue<T>): Promise<T> {
  const parts: Uint8Array[] = []
  if (entry.size <= MAX_JSON) for await (const piece of entry.bytes) parts.push(Buffer.from(piece))
  const checked = [HEADER_PATH, MANIFEST_PATH].includes(entry.path) ? check(parseJson(Buffer.concat(parts))) : undefined
  if (checked?.valid === true) return checked.value
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
  const reason = error instanceof Error ? error.message : String(error)
  return new AssayError("bad_backup", `The archive can't be restored: ${reason}`, { cause: error })
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error
}

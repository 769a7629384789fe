import { open, readdir, rename, rm, stat, truncate } from "node:fs/promises"
import { join } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas"
import {
  createFolder,
  diskFailure,
  FORMER_ENDING,
  openRegularFile,
  readRegularFile,
  syncFolder,
  withDiskFailures,
} from "@assay/storage"
import {
  isFor,
  NO_ROOM,
  parseUploadRecord,
  writeUploadRecord,
  type UploadRecord,
  type UploadTarget,
} from "./upload-record.ts"
import { appendPiece, orDiskFull, type PieceChecksum } from "./write-piece.ts"

/** Receives all bytes of an upload once they have arrived, with the rights of whoever sends the current request. */
export type FinishUpload = (record: UploadRecord, bytes: AsyncIterable<Uint8Array>) => Promise<void>

export type NewUpload = UploadTarget & Pick<UploadRecord, "path" | "length" | "sha256" | "metadata">

export interface UploadPiece {
  readonly offset: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly checksum?: PieceChecksum | undefined
}

export interface UploadState {
  readonly record: UploadRecord
  readonly offset: number
}

export interface UploadStore {
  /** Starts an upload. @throws `disk_full`, and keeps nothing of the upload then */
  create(upload: NewUpload, finish: FinishUpload): Promise<UploadState>
  /**
   * Returns an upload to this fileset. If all bytes arrived before the server stopped, finishes it first.
   * @throws `not_found`, `upload_gone`
   */
  get(id: string, to: UploadTarget, finish: FinishUpload): Promise<UploadState>
  /**
   * Appends a piece, and finishes the upload after the last byte.
   * @throws `upload_offset`, `upload_locked`, `upload_checksum`
   */
  append(id: string, piece: UploadPiece, finish: FinishUpload): Promise<UploadState>
  remove(id: string): Promise<void>
}

/** The uploads of the only server. */
export interface FolderUploadStore extends UploadStore {
  /** Removes expired uploads, and files that a crash left without a record. */
  sweep(): Promise<void>
}

export interface UploadStoreOptions {
  readonly folder: string
  /** Milliseconds without a new byte after which an upload expires. */
  readonly lifetimeMs: number
  readonly now: () => number
  readonly newId: (prefix: string) => string
}

const ID = /^upload-[1-9A-HJ-NP-Za-km-z]+$/
const READ_CHUNK = 1_048_576
/** The files of an upload: its bytes, its record, a record that is being written, and the former one meanwhile. */
const OWN_FILE = /^(upload-[1-9A-HJ-NP-Za-km-z]+)\.(?:bytes|json|json\.new|json\.old)$/

/** Endings of files that a crash can leave beside a record. */
const LEFT = [".json.new", `.json${FORMER_ENDING}`]

async function* readBytes(file: string): AsyncIterable<Uint8Array> {
  await using handle = await openRegularFile(file)
  for await (const piece of handle.createReadStream({ highWaterMark: READ_CHUNK, autoClose: false })) {
    yield piece as Buffer
  }
}

/** Returns 0 if there is no such file. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    (error: unknown) => {
      if (!isMissing(error)) throw diskFailure(error) ?? error
      return 0
    },
  )
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT"
}

/**
 * Opens the uploads in progress in a folder. Each has a record and the bytes received so far. The offset of an upload is
 * the length of its bytes file, so a server that was killed continues with what is on disk.
 */
export function openUploadStore(options: UploadStoreOptions): FolderUploadStore {
  const { folder, lifetimeMs, now, newId } = options
  const busy = new Set<string>()
  const recordFile = (id: string) => join(folder, `${id}.json`)
  const bytesFile = (id: string) => join(folder, `${id}.bytes`)

  async function readRecord(id: string, to?: UploadTarget): Promise<UploadRecord> {
    const unknown = () => new AssayError("not_found", `Upload '${id}' not found; start a new one.`)
    if (!ID.test(id)) throw unknown()
    const text = await readRegularFile(recordFile(id)).catch((error: unknown) => {
      // A failure of the disk says nothing about the upload: the client must not start again.
      throw diskFailure(error) ?? unknown()
    })
    const record = parseUploadRecord(text)
    if (record === undefined) throw unknown()
    if (to !== undefined && !isFor(record, to)) throw unknown()
    if (record.expiresAt <= now()) throw new AssayError("upload_gone", `Upload '${id}' has expired; start a new one.`)
    return record
  }

  /** Returns false if there is no upload that can be continued. @throws the errors of the disk */
  async function hasRecord(id: string): Promise<boolean> {
    return readRecord(id).then(
      () => true,
      (error: unknown) => {
        if (isAssayError(error, "not_found") || isAssayError(error, "upload_gone")) return false
        throw error
      },
    )
  }

  async function locked<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(id))
      throw new AssayError("upload_locked", `Upload '${id}' is receiving bytes over another connection.`)
    busy.add(id)
    try {
      return await work()
    } finally {
      busy.delete(id)
    }
  }

  async function offsetOf(record: UploadRecord): Promise<number> {
    if (record.completed) return record.length
    if (record.unverifiedFrom !== null) await truncate(bytesFile(record.id), record.unverifiedFrom)
    return sizeOf(bytesFile(record.id))
  }

  async function complete(record: UploadRecord, finish: FinishUpload): Promise<UploadState> {
    try {
      await finish(record, readBytes(bytesFile(record.id)))
    } catch (error) {
      // Bytes that can never become the file are removed. After `disk_full`, the client can continue later.
      if (isAssayError(error, "checksum_mismatch") || isAssayError(error, "invalid_request"))
        await removeFiles(record.id)
      throw error
    }
    const done = { ...record, completed: true }
    // The file is in its fileset, which is what the client asked for. Without the note, a later request must not write it again.
    await writeUploadRecord(recordFile(record.id), done).then(
      () => rm(bytesFile(record.id), { force: true }).catch(() => {}),
      () => removeFiles(record.id).catch(() => {}),
    )
    return { record: done, offset: record.length }
  }

  /** Without its record, an upload is gone. The sweep removes the rest of it. After an error the upload is unchanged. */
  async function removeFiles(id: string): Promise<void> {
    const [record, hidden] = [recordFile(id), `${recordFile(id)}.new`]
    await withDiskFailures(async () => {
      await rename(record, hidden).catch(unlessMissing)
      await syncFolder(folder).catch(async (error: unknown) => {
        await rename(hidden, record).catch(unlessMissing)
        throw error
      })
    })
    for (const file of [hidden, bytesFile(id)]) await rm(file, { force: true }).catch(() => {})
  }

  /** Creates all files of an upload, or none of them. */
  async function createFiles(record: UploadRecord): Promise<void> {
    await orDiskFull(NO_ROOM, async () => {
      await createFolder(folder, { mode: 0o700 })
      await (await open(bytesFile(record.id), "wx", 0o600)).close()
    })
    try {
      await writeUploadRecord(recordFile(record.id), record)
    } catch (error) {
      await removeFiles(record.id)
      throw error
    }
  }

  /** Returns the state of an upload. If all bytes arrived before the server stopped, finishes it first. */
  async function settle(record: UploadRecord, finish: FinishUpload): Promise<UploadState> {
    const offset = await offsetOf(record)
    return offset === record.length && !record.completed ? complete(record, finish) : { record, offset }
  }

  return {
    async create(upload, finish) {
      const record = {
        ...upload,
        id: newId("upload"),
        expiresAt: now() + lifetimeMs,
        unverifiedFrom: null,
        completed: false,
      }
      // Locked before the first file is created: the sweep removes bytes that have no record.
      return locked(record.id, async () => {
        await createFiles(record)
        return record.length === 0 ? complete(record, finish) : { record, offset: 0 }
      })
    },
    async get(id, to, finish) {
      const record = await readRecord(id, to)
      if (busy.has(id)) return { record, offset: record.unverifiedFrom ?? (await sizeOf(bytesFile(id))) }
      return locked(id, () => settle(record, finish))
    },
    append: (id, { offset, bytes, checksum }, finish) =>
      locked(id, async () => {
        const before = await settle(await readRecord(id), finish)
        if (before.offset !== offset) {
          throw new AssayError(
            "upload_offset",
            `Upload-Offset ${offset} is not the offset of the upload, which is ${before.offset}.`,
          )
        }
        if (before.record.completed) return before
        const record = {
          ...before.record,
          expiresAt: now() + lifetimeMs,
          unverifiedFrom: checksum === undefined ? null : offset,
        }
        await writeUploadRecord(recordFile(id), record)
        const end = await appendPiece(bytesFile(id), { offset, length: record.length, bytes, checksum })
        const verified = { ...record, unverifiedFrom: null }
        if (checksum !== undefined) await writeUploadRecord(recordFile(id), verified)
        return end === record.length ? complete(verified, finish) : { record: verified, offset: end }
      }),
    remove: (id) =>
      locked(id, async () => {
        await readRecord(id)
        await removeFiles(id)
      }),
    async sweep() {
      const names: readonly string[] = await readdir(folder).catch(() => [])
      const ids = new Set<string>(names.flatMap((name) => OWN_FILE.exec(name)?.[1] ?? []))
      for (const id of ids) {
        const isKept = await hasRecord(id)
        if (busy.has(id) || (isKept && !LEFT.some((ending) => names.includes(`${id}${ending}`)))) continue
        await locked(id, async () => {
          // No request uses the upload, so a half-written new record is useless.
          if (!(await hasRecord(id))) await removeFiles(id)
          for (const ending of LEFT) await rm(join(folder, `${id}${ending}`), { force: true })
        })
      }
    },
  }
}

import { mkdir, open, readdir, rename, rm, stat, truncate } from "node:fs/promises"
import { join } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas"
import { openRegularFile, readRegularFile } from "@assay/storage"
import { compileCheck } from "../validation/compile-check.ts"
import { appendPiece } from "./append-piece.ts"
import { orDiskFull } from "./or-disk-full.ts"
import type { PieceChecksum } from "./tus-headers.ts"
import { UploadRecord } from "./upload-record.ts"

/** Receives the whole bytes of an upload when they are there, on behalf of whoever asks then. */
export type FinishUpload = (record: UploadRecord, bytes: AsyncIterable<Uint8Array>) => Promise<void>

/** The fileset that an upload is for: whoever may write to another one learns nothing of it, and finishes nothing. */
export type UploadTarget = Required<Pick<UploadRecord, "workspace" | "fileset" | "filesetId">>

export type NewUpload = UploadTarget & Pick<UploadRecord, "path" | "length" | "sha256">

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
  /** @throws `disk_full`, and nothing of the upload stays */
  create(upload: NewUpload, finish: FinishUpload): Promise<UploadState>
  /** An upload to this fileset. Finishes what was received whole before the server stopped. @throws `not_found`, `upload_gone` */
  get(id: string, to: UploadTarget, finish: FinishUpload): Promise<UploadState>
  /** Appends a piece; finishes the upload when the last byte is there. @throws `upload_offset`, `upload_locked`, `upload_checksum` */
  append(id: string, piece: UploadPiece, finish: FinishUpload): Promise<UploadState>
  remove(id: string): Promise<void>
  /** Drops what has expired, and what a crash left without its record. */
  sweep(): Promise<void>
}

export interface UploadStoreOptions {
  readonly folder: string
  /** Milliseconds without a new byte after which an upload is dropped. */
  readonly lifetimeMs: number
  readonly now: () => number
  readonly newId: (prefix: string) => string
}

const ID = /^upload-[1-9A-HJ-NP-Za-km-z]+$/
const READ_CHUNK = 1_048_576
/** The files of an upload: its bytes, its record, and a record that is being written. */
const OWN_FILE = /^(upload-[1-9A-HJ-NP-Za-km-z]+)\.(?:bytes|json|json\.new)$/

const NO_ROOM = "There is no room left for the upload; try again when there is."

async function writeRecord(file: string, record: UploadRecord): Promise<void> {
  await orDiskFull(NO_ROOM, async () => {
    const handle = await open(`${file}.new`, "w", 0o600)
    try {
      await handle.writeFile(JSON.stringify(record))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(`${file}.new`, file)
  })
}

/** A fileset that was renamed since goes on with its uploads under its new name. */
function isFor(record: UploadRecord, to: UploadTarget): boolean {
  if (record.workspace !== to.workspace) return false
  return record.filesetId === undefined ? record.fileset === to.fileset : record.filesetId === to.filesetId
}

async function* readBytes(file: string): AsyncIterable<Uint8Array> {
  await using handle = await openRegularFile(file)
  for await (const piece of handle.createReadStream({ highWaterMark: READ_CHUNK, autoClose: false })) {
    yield piece as Buffer
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

/**
 * Uploads in progress, in a folder: each a record and the bytes received so far. The offset is the length of the bytes,
 * so that a killed server goes on where the disk stands.
 */
export function openUploadStore(options: UploadStoreOptions): UploadStore {
  const { folder, lifetimeMs, now, newId } = options
  const check = compileCheck(UploadRecord)
  const busy = new Set<string>()
  const recordFile = (id: string) => join(folder, `${id}.json`)
  const bytesFile = (id: string) => join(folder, `${id}.bytes`)

  async function readRecord(id: string, to?: UploadTarget): Promise<UploadRecord> {
    const unknown = () => new AssayError("not_found", `Upload '${id}' not found; start a new one.`)
    if (!ID.test(id)) throw unknown()
    const text = await readRegularFile(recordFile(id)).catch(() => {
      throw unknown()
    })
    const checked = check(JSON.parse(text))
    if (!checked.valid) throw unknown()
    const record = checked.value
    if (to !== undefined && !isFor(record, to)) throw unknown()
    if (record.expiresAt <= now()) throw new AssayError("upload_gone", `Upload '${id}' has expired; start a new one.`)
    return record
  }

  async function hasRecord(id: string): Promise<boolean> {
    return readRecord(id).then(
      () => true,
      () => false,
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
      // Bytes that can never become the file are not kept; with a full disk the client can go on later.
      if (isAssayError(error, "checksum_mismatch") || isAssayError(error, "invalid_request"))
        await removeFiles(record.id)
      throw error
    }
    const done = { ...record, completed: true }
    await writeRecord(recordFile(record.id), done)
    await rm(bytesFile(record.id), { force: true })
    return { record: done, offset: record.length }
  }

  async function removeFiles(id: string): Promise<void> {
    await rm(recordFile(id), { force: true })
    await rm(`${recordFile(id)}.new`, { force: true })
    await rm(bytesFile(id), { force: true })
  }

  /** Makes the files of an upload, or none of them. */
  async function makeFiles(record: UploadRecord): Promise<void> {
    await orDiskFull(NO_ROOM, async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await (await open(bytesFile(record.id), "wx", 0o600)).close()
    })
    try {
      await writeRecord(recordFile(record.id), record)
    } catch (error) {
      await removeFiles(record.id)
      throw error
    }
  }

  /** The state, after finishing what was received whole before the server stopped. */
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
      // Held from the first file on: the sweep takes bytes that have no record.
      return locked(record.id, async () => {
        await makeFiles(record)
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
            `Upload-Offset ${offset} is not where the upload stands: ${before.offset}.`,
          )
        }
        if (before.record.completed) return before
        const record = {
          ...before.record,
          expiresAt: now() + lifetimeMs,
          unverifiedFrom: checksum === undefined ? null : offset,
        }
        await writeRecord(recordFile(id), record)
        const end = await appendPiece({ file: bytesFile(id), offset, length: record.length, bytes, checksum })
        const verified = { ...record, unverifiedFrom: null }
        if (checksum !== undefined) await writeRecord(recordFile(id), verified)
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
        if (busy.has(id) || (isKept && !names.includes(`${id}.json.new`))) continue
        await locked(id, async () => {
          // A record that was about to be replaced is of no use to an upload that nobody is at.
          await ((await hasRecord(id)) ? rm(`${recordFile(id)}.new`, { force: true }) : removeFiles(id))
        })
      }
    },
  }
}

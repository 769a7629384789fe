import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { pourPiece } from "./pour-piece.ts"

/** Bytes by their digest, within a fileset. */
export interface ObjectName {
  /** Id of the fileset. */
  readonly fileset: string
  /** Lower-case hex. */
  readonly sha256: string
}

/** An object that is being sent. */
export interface ObjectUpload extends ObjectName {
  readonly size: number
  /** Who knows it can send these very bytes, and do nothing else. */
  readonly key: string
}

/** First and last byte of a part, both included. */
export interface ObjectPart {
  readonly start: number
  readonly end: number
}

/** Bytes that are sent before anybody says which files they become. They wait for a time and are part of no fileset. */
export interface ObjectStore {
  /** Answers with the key of a new upload. */
  start(object: ObjectName, size: number): Promise<string>
  /** Takes a whole object. One that is there already is let go by. @throws `not_found`, `checksum_mismatch`, `disk_full` */
  put(upload: ObjectUpload, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Takes a part; they come in any order. @throws `not_found`, `bad_upload`, `disk_full` */
  putPart(upload: ObjectUpload, part: ObjectPart, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Makes an object of its parts. @throws `not_found`, `checksum_mismatch` */
  complete(upload: ObjectUpload): Promise<void>
  /** Bytes of a whole object, which waits anew from now on; undefined where there is none. */
  size(object: ObjectName): Promise<number | undefined>
  read(object: ObjectName, part: ObjectPart): AsyncIterable<Uint8Array>
  remove(object: ObjectName): Promise<void>
  /** Drops what nobody came back for. */
  sweep(): Promise<void>
}

export interface ObjectStoreOptions {
  readonly folder: string
  /** Milliseconds that an object waits, and an unfinished upload without a new byte. */
  readonly lifetimeMs: number
  readonly now: () => number
  readonly newId: (prefix: string) => string
}

const KEY = /^object-[1-9A-HJ-NP-Za-km-z]+$/
const READ_CHUNK = 1_048_576

/**
 * Objects as files of a folder, whose names say all there is to know: `<fileset>.<digest>` is whole, and
 * `<fileset>.<digest>.<size>.<key>` on its way. Nothing waits for the disk: a power cut can cost an upload, and the
 * digest is compared once more when the bytes become a file.
 */
export function openObjectStore({ folder, lifetimeMs, now, newId }: ObjectStoreOptions): ObjectStore {
  const wholeFile = ({ fileset, sha256 }: ObjectName) => join(folder, `${fileset}.${sha256}`)
  const uploadFile = (upload: ObjectUpload) => `${wholeFile(upload)}.${upload.size}.${upload.key}`

  async function size(object: ObjectName): Promise<number | undefined> {
    try {
      const file = wholeFile(object)
      const moment = now() / 1000
      await utimes(file, moment, moment)
      return (await stat(file)).size
    } catch {
      return undefined
    }
  }

  /** Runs `work` on an upload, unless its object is there already: a client repeats what it got no answer to. */
  async function onUpload(upload: ObjectUpload, work: (handle: FileHandle) => Promise<void>): Promise<void> {
    const handle = KEY.test(upload.key) ? await open(uploadFile(upload), "r+").catch(() => undefined) : undefined
    if (handle === undefined) {
      if ((await size(upload)) !== undefined) return
      const message = `The upload of object ${upload.sha256} is not there or has expired; ask the batch API for a new one.`
      throw new AssayError("not_found", message)
    }
    try {
      await work(handle)
    } finally {
      await handle.close()
    }
  }

  async function publish(upload: ObjectUpload, handle: FileHandle, sha256: string): Promise<void> {
    if (sha256 !== upload.sha256) {
      await handle.truncate()
      const message = `The bytes that came have the SHA-256 ${sha256}, not ${upload.sha256}; nothing was kept. Send them again.`
      throw new AssayError("checksum_mismatch", message)
    }
    await rename(uploadFile(upload), wholeFile(upload))
  }

  return {
    async start(object, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const upload = { ...object, size: bytes, key: newId("object") }
      await (await open(uploadFile(upload), "wx", 0o600)).close()
      return upload.key
    },
    put: (upload, bytes) =>
      onUpload(upload, async (handle) => {
        const hash = createHash("sha256")
        await pourPiece(handle, { offset: 0, limit: upload.size, bytes, hash })
        await publish(upload, handle, hash.digest("hex"))
      }),
    putPart: (upload, { start, end }, bytes) =>
      onUpload(upload, async (handle) => {
        const reached = await pourPiece(handle, { offset: start, limit: end + 1, bytes })
        if (reached === end + 1) return
        const message = `The part from byte ${start} to ${end} ended at byte ${reached}; send all of it.`
        throw new AssayError("bad_upload", message)
      }),
    complete: (upload) =>
      onUpload(upload, async (handle) => {
        const hash = createHash("sha256")
        for await (const piece of handle.createReadStream({ highWaterMark: READ_CHUNK, autoClose: false, start: 0 })) {
          hash.update(piece as Buffer)
        }
        await publish(upload, handle, hash.digest("hex"))
      }),
    size,
    read: (object, { start, end }) =>
      end < start ? none() : createReadStream(wholeFile(object), { start, end, highWaterMark: READ_CHUNK }),
    remove: (object) => rm(wholeFile(object), { force: true }),
    async sweep() {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = join(folder, name)
        const stats = await stat(file).catch(() => undefined)
        if (stats !== undefined && stats.mtimeMs + lifetimeMs <= now()) await rm(file, { force: true })
      }
    },
  }
}

async function* none(): AsyncIterable<Uint8Array> {}

import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { createPathLocks, openRegularFile } from "@assay/storage"
import { orDiskFull } from "./or-disk-full.ts"
import { createPartGates, type PartGate } from "./part-gate.ts"
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
  /** Answers with the key of a new upload. @throws `disk_full` */
  start(object: ObjectName, size: number): Promise<string>
  /** Takes a whole object. One that is there already is let go by. @throws `not_found`, `checksum_mismatch`, `disk_full` */
  put(upload: ObjectUpload, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Takes a part; they come in any order. @throws `not_found`, `bad_upload`, `disk_full`, `upload_gone` once `complete` has begun */
  putPart(upload: ObjectUpload, part: ObjectPart, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Makes an object of its parts. Exactly the bytes that are verified are kept: no part is written any more. @throws `not_found`, `checksum_mismatch` */
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
const NO_ROOM = "There is no room left for the object; nothing was kept, send it again when there is."

/**
 * Objects as files of a folder, whose names say all there is to know: `<fileset>.<digest>` is whole, and
 * `<fileset>.<digest>.<size>.<key>` on its way. An object that is sent whole has a file of its own for each attempt. One
 * process alone works on a folder. Nothing waits for the disk: a power cut can cost an upload, and the digest is compared
 * once more when the bytes become a file.
 */
export function openObjectStore({ folder, lifetimeMs, now, newId }: ObjectStoreOptions): ObjectStore {
  const wholeFile = ({ fileset, sha256 }: ObjectName) => join(folder, `${fileset}.${sha256}`)
  const locks = createPathLocks()
  const gates = createPartGates()
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
    const file = uploadFile(upload)
    const handle = KEY.test(upload.key)
      ? await openRegularFile(file, constants.O_RDWR).catch(() => undefined)
      : undefined
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

  function checkDigest(upload: ObjectUpload, sha256: string): void {
    if (sha256 === upload.sha256) return
    const message = `The bytes that came have the SHA-256 ${sha256}, not ${upload.sha256}; nothing was kept. Send them again.`
    throw new AssayError("checksum_mismatch", message)
  }

  /** Every attempt writes a file of its own, so that no other request can change what was verified. */
  async function putWhole(upload: ObjectUpload, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const own = `${uploadFile(upload)}.${newId("put")}`
    try {
      const handle = await orDiskFull(NO_ROOM, () => open(own, "wx+", 0o600))
      try {
        const hash = createHash("sha256")
        await pourPiece(handle, { offset: 0, limit: upload.size, bytes, hash })
        checkDigest(upload, hash.digest("hex"))
      } finally {
        await handle.close()
      }
      await rename(own, wholeFile(upload))
      await rm(uploadFile(upload), { force: true })
    } catch (error) {
      await rm(own, { force: true })
      throw error
    }
  }

  async function sealAndVerify(upload: ObjectUpload, handle: FileHandle, gate: PartGate): Promise<void> {
    await gate.seal()
    try {
      checkDigest(upload, await digestOf(handle))
    } catch (error) {
      await handle.truncate()
      gate.unseal()
      throw error
    }
    await rename(uploadFile(upload), wholeFile(upload))
  }

  return {
    async start(object, bytes) {
      await orDiskFull(NO_ROOM, () => mkdir(folder, { recursive: true, mode: 0o700 }))
      const upload = { ...object, size: bytes, key: newId("object") }
      await orDiskFull(NO_ROOM, async () => (await open(uploadFile(upload), "wx", 0o600)).close())
      return upload.key
    },
    put: (upload, bytes) => onUpload(upload, () => putWhole(upload, bytes)),
    // The gate is taken before the file is opened: who has an open file has a gate that can be sealed.
    putPart: (upload, { start, end }, bytes) =>
      gates.use(uploadFile(upload), (gate) =>
        onUpload(upload, async (handle) => {
          const reached = await pourPiece(handle, { offset: start, limit: end + 1, bytes, gate })
          if (reached === end + 1) return
          const message = `The part from byte ${start} to ${end} ended at byte ${reached}; send all of it.`
          throw new AssayError("bad_upload", message)
        }),
      ),
    complete: (upload) =>
      locks.exclusive(uploadFile(upload), () =>
        gates.use(uploadFile(upload), (gate) => onUpload(upload, (handle) => sealAndVerify(upload, handle, gate))),
      ),
    size,
    read: (object, part) => (part.end < part.start ? none() : readPart(wholeFile(object), part)),
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

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash("sha256")
  for await (const piece of handle.createReadStream({ highWaterMark: READ_CHUNK, autoClose: false, start: 0 })) {
    hash.update(piece as Buffer)
  }
  return hash.digest("hex")
}

async function* readPart(file: string, { start, end }: ObjectPart): AsyncIterable<Uint8Array> {
  await using handle = await openRegularFile(file)
  for await (const piece of handle.createReadStream({ start, end, highWaterMark: READ_CHUNK, autoClose: false })) {
    yield piece as Buffer
  }
}

async function* none(): AsyncIterable<Uint8Array> {}

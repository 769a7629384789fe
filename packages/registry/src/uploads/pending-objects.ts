import { createHash } from "node:crypto"
import { constants } from "node:fs"
import { open, readdir, rename, rm, stat, utimes, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { createFolder, createPathLocks, diskFailure, openRegularFile, syncFolder } from "@assay/storage"
import { createPartGates, orDiskFull, writePiece, type PartGate } from "./write-piece.ts"

/** Names a pending object: its digest, within a fileset. */
export interface PendingObject {
  /** Id of the fileset. */
  readonly fileset: string
  /** Lower-case hex. */
  readonly sha256: string
}

/** A pending object whose bytes are being sent. */
export interface PendingUpload extends PendingObject {
  readonly size: number
  /** Allows its holder to send exactly these bytes, and nothing else. */
  readonly key: string
}

/** First and last byte of a part, both included. */
export interface ObjectPart {
  readonly start: number
  readonly end: number
}

/**
 * Git LFS objects that were sent before the commit that turns them into files. They belong to no fileset yet, and expire
 * after a time.
 */
export interface PendingObjects {
  /** Starts an upload and returns its key. @throws `disk_full` */
  start(object: PendingObject, size: number): Promise<string>
  /** Writes a whole object, unless it is already there. A power failure does not undo it. @throws `not_found`, `checksum_mismatch`, `disk_full` */
  put(upload: PendingUpload, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Writes one part. Parts can come in any order.
   * @throws `not_found`, `bad_upload`, `disk_full`; `upload_gone` once `complete` has begun
   */
  putPart(upload: PendingUpload, part: ObjectPart, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Makes an object from its parts. Refuses further parts first, so that the verified bytes are the ones that are kept. A power
   * failure does not undo it.
   * @throws `not_found`, `checksum_mismatch`
   */
  complete(upload: PendingUpload): Promise<void>
  /** Returns the bytes of a whole object and restarts its lifetime. Returns undefined if there is no such object. */
  size(object: PendingObject): Promise<number | undefined>
  read(object: PendingObject, part: ObjectPart): AsyncIterable<Uint8Array>
  remove(object: PendingObject): Promise<void>
}

/** The pending objects of the only server. */
export interface FolderPendingObjects extends PendingObjects {
  /** Removes expired objects and uploads. */
  sweep(): Promise<void>
}

export interface PendingObjectsOptions {
  readonly folder: string
  /** Milliseconds after which an object expires, and an unfinished upload without a new byte. */
  readonly lifetimeMs: number
  readonly now: () => number
  readonly newId: (prefix: string) => string
}

const KEY = /^object-[1-9A-HJ-NP-Za-km-z]+$/
const READ_CHUNK = 1_048_576
const NO_ROOM = "There is no room left for the object. Nothing was kept; send it again when there is room."

/**
 * Opens the pending objects in a folder. The file names hold all state: `<fileset>.<digest>` is a whole object, and
 * `<fileset>.<digest>.<size>.<key>` is an upload. Each attempt to send a whole object writes a file of its own. Only one
 * process may work on a folder. A whole object is on the disk, with its name, before `put` or `complete` returns. Uploads and their
 * parts are not synced: a power failure can end an upload, and the client starts another one.
 */
export function openPendingObjects({ folder, lifetimeMs, now, newId }: PendingObjectsOptions): FolderPendingObjects {
  const wholeFile = ({ fileset, sha256 }: PendingObject) => join(folder, `${fileset}.${sha256}`)
  const locks = createPathLocks()
  const gates = createPartGates()
  const uploadFile = (upload: PendingUpload) => `${wholeFile(upload)}.${upload.size}.${upload.key}`

  async function size(object: PendingObject): Promise<number | undefined> {
    try {
      const file = wholeFile(object)
      const moment = now() / 1000
      await utimes(file, moment, moment)
      return (await stat(file)).size
    } catch (error) {
      return unlessDiskFails(error)
    }
  }

  /** Runs `work` on an upload, unless its object is already whole: clients repeat requests that got no response. */
  async function onUpload(upload: PendingUpload, work: (handle: FileHandle) => Promise<void>): Promise<void> {
    const file = uploadFile(upload)
    const handle = KEY.test(upload.key)
      ? await openRegularFile(file, constants.O_RDWR).catch(unlessDiskFails)
      : undefined
    if (handle === undefined) {
      if ((await size(upload)) !== undefined) return
      const message = `The upload of object ${upload.sha256} does not exist or has expired; ask the batch API for a new one.`
      throw new AssayError("not_found", message)
    }
    try {
      await work(handle)
    } finally {
      await handle.close()
    }
  }

  function checkDigest(upload: PendingUpload, sha256: string): void {
    if (sha256 === upload.sha256) return
    const message = `The bytes that arrived have the SHA-256 ${sha256}, not ${upload.sha256}; nothing was kept. Send them again.`
    throw new AssayError("checksum_mismatch", message)
  }

  /** Each attempt writes a file of its own, so that no other request can change the verified bytes. */
  async function putWhole(upload: PendingUpload, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const own = `${uploadFile(upload)}.${newId("put")}`
    try {
      const handle = await orDiskFull(NO_ROOM, () => open(own, "wx+", 0o600))
      try {
        const hash = createHash("sha256")
        await writePiece(handle, { offset: 0, limit: upload.size, bytes, hash })
        checkDigest(upload, hash.digest("hex"))
        await orDiskFull(NO_ROOM, () => handle.sync())
      } finally {
        await handle.close()
      }
      await nameWhole(upload, own)
    } catch (error) {
      await rm(own, { force: true }).catch(() => {})
      throw error
    }
    // The object is whole. The sweep removes the rest of its upload.
    await rm(uploadFile(upload), { force: true }).catch(() => {})
  }

  async function sealAndVerify(upload: PendingUpload, handle: FileHandle, gate: PartGate): Promise<void> {
    await gate.seal()
    try {
      checkDigest(upload, await digestOf(handle))
    } catch (error) {
      await handle.truncate()
      gate.unseal()
      throw error
    }
    try {
      await orDiskFull(NO_ROOM, () => handle.sync())
      await nameWhole(upload, uploadFile(upload))
    } catch (error) {
      gate.unseal()
      throw error
    }
  }

  /**
   * Gives verified, synced bytes the name of a whole object. If the disk does not store the name, takes it back: the batch API must not say
   * that the object is there.
   */
  async function nameWhole(object: PendingObject, file: string): Promise<void> {
    const whole = wholeFile(object)
    await locks.exclusive(whole, async () => {
      const isKnown = (await size(object)) !== undefined
      await orDiskFull(NO_ROOM, () => rename(file, whole))
      await locks
        .coalesce(folder, () => syncFolder(folder))
        .catch(async (error: unknown) => {
          // A known object was stored before, with the same bytes.
          if (!isKnown) await rename(whole, file).catch(() => {})
          throw diskFailure(error) ?? error
        })
    })
  }

  return {
    async start(object, bytes) {
      await orDiskFull(NO_ROOM, () => createFolder(folder, { mode: 0o700 }))
      const upload = { ...object, size: bytes, key: newId("object") }
      await orDiskFull(NO_ROOM, async () => (await open(uploadFile(upload), "wx", 0o600)).close())
      return upload.key
    },
    put: (upload, bytes) => onUpload(upload, () => putWhole(upload, bytes)),
    // The gate is taken before the file is opened, so every open file has a gate that can be sealed.
    putPart: (upload, { start, end }, bytes) =>
      gates.use(uploadFile(upload), (gate) =>
        onUpload(upload, async (handle) => {
          const reached = await writePiece(handle, { offset: start, limit: end + 1, bytes, gate })
          if (reached === end + 1) return
          const message = `The part from byte ${start} to ${end} ended at byte ${reached}; send all of it.`
          throw new AssayError("bad_upload", message)
        }),
      ),
    complete: (upload) =>
      locks.exclusive(uploadFile(upload), () =>
        gates.use(uploadFile(upload), (gate) => onUpload(upload, (handle) => sealAndVerify(upload, handle, gate))),
      ),
    // The name of a whole object is seen only when it is stored.
    size: (object) => locks.exclusive(wholeFile(object), () => size(object)),
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

/** Returns undefined if there is nothing that can be used. A failure of the disk says nothing about that. */
function unlessDiskFails(error: unknown): undefined {
  const failure = diskFailure(error)
  if (failure !== undefined) throw failure
  return undefined
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

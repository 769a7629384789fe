import { linkSync, renameSync, unlinkSync, type BigIntStats } from "node:fs"
import { rename } from "node:fs/promises"
import { untilAborted } from "@assay/http"
import { AssayError } from "@assay/schemas"
import { checkDigest } from "../check-digest.ts"
import { folderOf, joinPath, nameOf, quotePath, type FilePath } from "../file-path.ts"
import type { GrownFile, StoredFile, WriteOptions } from "../storage.ts"
import type { LocalContext } from "./context.ts"
import { NO_LINKS, onDisk, outsideRoot, pathConflict, systemCode } from "./errors.ts"
import { advanceTime, fileEtag, fileVersion, storedFile } from "./file-version.ts"
import { lookUp, type Entry, type Folder } from "./folders/folder.ts"
import { metadataCalls } from "./folders/metadata-calls.ts"
import { createNewFile, linkNewFile } from "./writing/new-file.ts"
import { removeHidden } from "./writing/remove-hidden.ts"
import { TEMPORARY_PREFIX, createTemporaryFile, isTemporaryPath, type TemporaryFile } from "./writing/temporary-file.ts"
import { writeBytes } from "./writing/write-bytes.ts"

/** Writes to a temporary file and then renames it, so that no reader sees a partial file. */
export async function writeFile(
  local: LocalContext,
  path: FilePath,
  bytes: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<StoredFile> {
  options.signal?.throwIfAborted()
  checkName(path)
  const onThisDisk = <T>(work: () => Promise<T>) => onDisk("write", path, work)
  const temporary = await onThisDisk(() => createFile(local, path, options))
  try {
    // Check before the bytes, so that a large upload is refused early, and again before the rename, when it counts.
    await onThisDisk(() => checkWrite(local, temporary.folder, path, options))
    const { sha256 } =
      temporary.grown ??
      (await writeBytes(untilAborted(bytes, options.signal), temporary.file, {
        bufferSize: local.writeBufferSize,
        durable: local.durable,
        disposable: options.disposable,
        onDisk: onThisDisk,
      }))
    checkDigest({ storage: "local", path, sha256, expected: options.sha256 })
    const stored = await local.locks.exclusive(joinPath(temporary.folder.real, nameOf(path)), () =>
      onThisDisk(() => publishAlone(local, temporary, path, { ...options, sha256 })),
    )
    await temporary.close()
    return stored
  } catch (error) {
    await temporary.discard()
    throw error
  }
}

interface PreparedFile extends TemporaryFile {
  /** The file that it is a second name of. */
  readonly grown?: GrownFile
}

/** Creates a temporary file: empty, or with all of its bytes if they are already in a file of this file system. */
async function createFile(local: LocalContext, path: FilePath, options: WriteOptions): Promise<PreparedFile> {
  const { grown } = options
  const folder = folderOf(path)
  if (grown !== undefined) {
    try {
      return { ...(await createTemporaryFile(local, folder, (at) => linkNewFile(grown.location, at))), grown }
    } catch (error) {
      const code = systemCode(error)
      if (code !== "EXDEV" && !NO_LINKS.has(code)) throw error
    }
  }
  const isSynchronous = isOneWrite(local, options)
  return createTemporaryFile(local, folder, (at) => createNewFile(at, { isSynchronous }))
}

/** Returns whether the bytes probably reach the disk in one write, which then waits for the disk itself. */
function isOneWrite({ durable, writeBufferSize }: LocalContext, { size = Infinity }: WriteOptions): boolean {
  return durable && size > 0 && size <= writeBufferSize
}

type PublishOptions = WriteOptions & { readonly sha256: string }

/** Publishes under a system lock if needed, so that a condition holds until the file has its name. */
async function publishAlone(
  local: LocalContext,
  temporary: PreparedFile,
  path: FilePath,
  options: PublishOptions,
): Promise<StoredFile> {
  const isRequired = options.ifMatch !== undefined || options.ifNoneMatch !== undefined
  const work = () => publish(local, temporary, path, options)
  if (!isRequired && !local.isShared) return work()
  const lockPath = joinPath(temporary.folder.real, nameOf(path))
  return local.systemLocks.exclusive(lockPath, { isRequired, signal: options.signal }, work)
}

/** Gives the temporary file its name. The caller holds the lock on that name. An error leaves the former file in place. */
async function publish(
  local: LocalContext,
  temporary: PreparedFile,
  path: FilePath,
  options: PublishOptions,
): Promise<StoredFile> {
  const { folder, file } = temporary
  const replaced = await checkWrite(local, folder, path, options)
  const stats = await advanceTime(file, replaced, local.durable)
  const version = fileVersion(joinPath(folder.path, nameOf(path)), stats)
  // Store the digest before the rename, which keeps the times, so that no reader sees the file without its digest.
  await local.digests.put(version, options.sha256)
  try {
    options.signal?.throwIfAborted()
    await publishName(local, temporary, path, { isNew: options.ifNoneMatch !== undefined, replaced })
  } catch (error) {
    const keep = replaced && fileVersion(version.path, replaced)
    await local.digests.forgetLater(version.path, { keep, gone: version })
    throw error
  }
  // Take the state again, because a rename changes the file's change time.
  local.checks?.note(stats.size, () => metadataCalls.atHandle(file))
  if (replaced !== undefined && !local.held.has(version.path)) {
    const gone = fileVersion(version.path, replaced)
    await local.digests.forgetLater(version.path, { keep: version, gone })
  }
  return storedFile(path, stats, options.sha256)
}

interface Naming {
  /** Whether the name must be free. */
  readonly isNew: boolean
  /** The file that has the name now. */
  readonly replaced: BigIntStats | undefined
}

/** Gives the file its name and waits for the disk. If the disk fails, the name leads to the former file again. */
async function publishName(
  local: LocalContext,
  temporary: TemporaryFile,
  path: FilePath,
  naming: Naming,
): Promise<void> {
  const { folder, name } = temporary
  const to = nameOf(path)
  const { replaced } = naming
  const former = replaced !== undefined && local.durable ? keepFormer(local, folder, to) : undefined
  try {
    if (naming.isNew) giveNewName(folder, name, path)
    else await giveName(folder, name, to, replaced !== undefined && former === undefined)
    if (local.durable) await settleName(local, folder, { to, former, isReplacing: replaced !== undefined })
  } finally {
    if (former !== undefined) await removeHidden(folder.at(former))
  }
}

/** Gives the former file a second name until the new one is on the disk. Returns undefined if the file system has no hard links. */
function keepFormer({ newId }: LocalContext, folder: Folder, to: string): string | undefined {
  const former = `${TEMPORARY_PREFIX}${newId()}`
  try {
    linkSync(folder.at(to), folder.at(former))
    return former
  } catch (error) {
    if (NO_LINKS.has(systemCode(error))) return undefined
    throw error
  }
}

interface NewName {
  readonly to: string
  readonly former: string | undefined
  readonly isReplacing: boolean
}

async function settleName(local: LocalContext, folder: Folder, { to, former, isReplacing }: NewName): Promise<void> {
  try {
    await Promise.all([local.locks.coalesce(folder.real, () => folder.sync()), local.digests.settle()])
  } catch (error) {
    if (former !== undefined) renameSync(folder.at(former), folder.at(to))
    else if (!isReplacing) unlinkSync(folder.at(to))
    throw error
  }
}

/** Renames synchronously, as in `metadataCalls`, unless the blocks of a replaced file are freed by it. */
async function giveName(folder: Folder, from: string, to: string, frees: boolean): Promise<void> {
  if (frees) await rename(folder.at(from), folder.at(to))
  else renameSync(folder.at(from), folder.at(to))
}

/**
 * Gives a file a new name only if that name is free. The system decides between two writers, even if one takes no lock.
 */
function giveNewName(folder: Folder, from: string, path: FilePath): void {
  const to = folder.at(nameOf(path))
  try {
    linkSync(folder.at(from), to)
  } catch (error) {
    const code = systemCode(error)
    if (code === "EEXIST" && !isOneFile(folder.at(from), to)) throw preconditionFailed(path, "it already exists")
    if (code !== "EEXIST" && !NO_LINKS.has(code)) throw error
    if (code !== "EEXIST") {
      renameSync(folder.at(from), to)
      return
    }
  }
  try {
    unlinkSync(folder.at(from))
  } catch {
    // The file has its new name. The sweep at the next start removes the old one.
  }
}

/**
 * Returns whether both names are of one file. A network file system repeats `link()` if the response was lost, and then fails although the
 * first attempt gave the file its name.
 */
function isOneFile(one: string, other: string): boolean {
  try {
    const first = metadataCalls.at(one)
    const second = metadataCalls.at(other)
    return first.ino === second.ino && first.dev === second.dev
  } catch {
    return false
  }
}

function checkName(path: FilePath): void {
  if (!isTemporaryPath(path)) return
  const message = `Path ${quotePath(path)} has a name that begins with ${TEMPORARY_PREFIX}, which is kept for files being written; choose another name.`
  throw new AssayError("bad_path", message, { context: { storage: "local", path } })
}

/**
 * Checks whether a file may be written to `path` now. Returns the state of the file that would be replaced.
 * @throws `path_conflict`; `precondition_failed`; `bad_path` for a link that leads outside the root
 */
async function checkWrite(
  local: LocalContext,
  folder: Folder,
  path: FilePath,
  options: Pick<WriteOptions, "ifMatch" | "ifNoneMatch">,
): Promise<BigIntStats | undefined> {
  const name = nameOf(path)
  const entry = await lookUp(local.root, folder.at(name), joinPath(folder.path, name))
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind === "folder") throw pathConflict(path, "a folder")
  if (entry.kind === "special") throw pathConflict(path, "a special file")
  const { ifMatch, ifNoneMatch } = options
  if (ifNoneMatch !== undefined && entry.kind === "file") throw preconditionFailed(path, "it already exists")
  if (ifMatch !== undefined) await checkMatch(local, entry, path, ifMatch)
  return entry.kind === "file" ? entry.stats : undefined
}

async function checkMatch(local: LocalContext, entry: Entry, path: FilePath, ifMatch: string): Promise<void> {
  if (entry.kind !== "file") throw preconditionFailed(path, "it does not exist")
  if (ifMatch === "*") return
  const isDamaged = local.checks?.isDamaged(entry.stats) === true
  const sha256 = isDamaged ? undefined : await local.digests.get(fileVersion(entry.path, entry.stats))
  const etag = fileEtag(entry.stats, sha256)
  if (etag !== ifMatch) throw preconditionFailed(path, `its ETag is ${etag}, not ${ifMatch}`)
}

function preconditionFailed(path: FilePath, why: string): AssayError {
  const message = `File ${quotePath(path)} was not written: ${why}. Read its current ETag and decide again.`
  return new AssayError("precondition_failed", message, { context: { storage: "local", path } })
}

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
import { recordVersion } from "./history/keep-version.ts"
import { createNewFile, linkNewFile } from "./writing/new-file.ts"
import { relieved } from "./writing/relieved.ts"
import { preconditionFailed, publishName } from "./writing/publish-name.ts"
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
      (await writeBytes(untilAborted(bytes, options.signal), relieved(temporary.file, local.relieve), {
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

type FileEntry = Extract<Entry, { kind: "file" }>

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
  const found = await checkWrite(local, folder, path, options)
  const replaced = found?.stats
  if (options.grown?.isTouched === true) await touch(file, local.durable)
  const stats = await advanceTime(file, replaced, local.durable)
  const version = fileVersion(joinPath(folder.path, nameOf(path)), stats)
  const { sha256, change } = options
  // The target of a link is unchanged.
  const isEnding = found !== undefined && found.path === version.path
  const ending = { path, realPath: version.path, isDeleted: false, sha256, change }
  const keeping = isEnding ? await recordVersion(local, { ...ending, stats: found.stats }) : undefined
  try {
    // Store the digest before the rename, which keeps the times, so that no reader sees the file without its digest.
    await local.digests.put(version, sha256)
  } catch (error) {
    await keeping?.cancel("not changed")
    throw error
  }
  try {
    options.signal?.throwIfAborted()
    await publishName(local, temporary, path, { isNew: options.ifNoneMatch !== undefined, replaced, keeping })
  } catch (error) {
    await keeping?.cancel("not changed")
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
  if (replaced === undefined) local.history?.noteNew(change)
  return storedFile(path, stats, sha256)
}

/** Gives a file that has just got a second name the time at which it got it. */
async function touch(file: TemporaryFile["file"], durable: boolean): Promise<void> {
  const seconds = Number(metadataCalls.atHandle(file).ctimeNs) / 1e9
  await file.utimes(seconds, seconds)
  if (durable) await file.sync()
}

function checkName(path: FilePath): void {
  if (!isTemporaryPath(path)) return
  const message = `Path ${quotePath(path)} has a name that begins with ${TEMPORARY_PREFIX}, which is kept for files being written; choose another name.`
  throw new AssayError("bad_path", message, { context: { storage: "local", path } })
}

/**
 * Checks whether a file may be written to `path` now. Returns the file that would be replaced.
 * @throws `path_conflict`; `precondition_failed`; `bad_path` for a link that leads outside the root
 */
async function checkWrite(
  local: LocalContext,
  folder: Folder,
  path: FilePath,
  options: Pick<WriteOptions, "ifMatch" | "ifNoneMatch">,
): Promise<FileEntry | undefined> {
  const name = nameOf(path)
  const entry = await lookUp(local.root, folder.at(name), joinPath(folder.path, name))
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind === "folder") throw pathConflict(path, "a folder")
  if (entry.kind === "special") throw pathConflict(path, "a special file")
  const { ifMatch, ifNoneMatch } = options
  if (ifNoneMatch !== undefined && entry.kind === "file") throw preconditionFailed(path, "it already exists")
  if (ifMatch !== undefined) await checkMatch(local, entry, path, ifMatch)
  return entry.kind === "file" ? entry : undefined
}

async function checkMatch(local: LocalContext, entry: Entry, path: FilePath, ifMatch: string): Promise<void> {
  if (entry.kind !== "file") throw preconditionFailed(path, "it does not exist")
  if (ifMatch === "*") return
  const isDamaged = local.checks?.isDamaged(entry.stats) === true
  const sha256 = isDamaged ? undefined : await local.digests.get(fileVersion(entry.path, entry.stats))
  const etag = fileEtag(entry.stats, sha256)
  if (etag !== ifMatch) throw preconditionFailed(path, `its ETag is ${etag}, not ${ifMatch}`)
}

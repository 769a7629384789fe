import { linkSync, renameSync, unlinkSync } from "node:fs"
import { rename } from "node:fs/promises"
import { AssayError } from "@assay/schemas"
import { untilAborted } from "@assay/http"
import type { FilePath } from "../file-path.ts"
import { quotePath } from "../quote-path.ts"
import type { StoredFile, WriteOptions } from "../storage.ts"
import { checkWrite, preconditionFailed } from "./check-write.ts"
import { onDisk, systemCode } from "./errors.ts"
import { fileVersion, storedFile } from "./file-version.ts"
import type { Folder } from "./folder.ts"
import type { LocalContext } from "./local-context.ts"
import { pour } from "./pour.ts"
import { quickLook } from "./quick-look.ts"
import { folderOf, joinPath, nameOf } from "./split-path.ts"
import { stampAnew } from "./stamp-anew.ts"
import { createTemporaryFile, type TemporaryFile } from "./temporary-file.ts"
import { isTemporaryPath, TEMPORARY_PREFIX } from "./temporary-name.ts"

/** Pours into a temporary file, then renames it: the only moment in which anything can be seen. */
export async function writeFile(
  local: LocalContext,
  path: FilePath,
  bytes: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<StoredFile> {
  options.signal?.throwIfAborted()
  checkName(path)
  const onThisDisk = <T>(work: () => Promise<T>) => onDisk("write", path, work)
  const temporary = await onThisDisk(() => createTemporaryFile(local, folderOf(path)))
  try {
    // Once before the bytes, so that a large upload need not end to be refused, and once when it counts.
    await onThisDisk(() => checkWrite(local, temporary.folder, path, options))
    const { sha256 } = await pour(untilAborted(bytes, options.signal), temporary.handle, {
      bufferSize: local.writeBufferSize,
      durable: local.durable,
      onDisk: onThisDisk,
    })
    checkDigest(path, sha256, options.sha256)
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

type PublishOptions = WriteOptions & { readonly sha256: string }

/** Publishes while no other process is at work on the name, if that matters: a condition holds until the file has its name. */
async function publishAlone(
  local: LocalContext,
  temporary: TemporaryFile,
  path: FilePath,
  options: PublishOptions,
): Promise<StoredFile> {
  const isRequired = options.ifMatch !== undefined || options.ifNoneMatch !== undefined
  const work = () => publish(local, temporary, path, options)
  if (!isRequired && !local.isShared) return work()
  const place = joinPath(temporary.folder.real, nameOf(path))
  return local.systemLocks.exclusive(place, { isRequired, signal: options.signal }, work)
}

/** Gives the temporary file its name, while nobody else is at work on that name. */
async function publish(
  local: LocalContext,
  temporary: TemporaryFile,
  path: FilePath,
  options: PublishOptions,
): Promise<StoredFile> {
  const { folder, name, handle } = temporary
  const replaced = await checkWrite(local, folder, path, options)
  const stats = await stampAnew(handle, replaced, local.durable)
  const version = fileVersion(joinPath(folder.path, nameOf(path)), stats)
  // Before the rename, which keeps the times: no reader ever sees the file without its digest.
  await local.digests.put(version, options.sha256)
  options.signal?.throwIfAborted()
  if (options.ifNoneMatch !== undefined) giveNewName(folder, name, path)
  else await giveName(folder, name, nameOf(path), replaced !== undefined)
  // Looked at again: to be given a name changes the file's last time.
  local.checks?.note(stats.size, () => quickLook.atHandle(handle))
  if (local.durable) await local.locks.coalesce(folder.real, () => folder.sync())
  if (replaced !== undefined) await local.digests.forget(version.path, version)
  return storedFile(path, stats, options.sha256)
}

/** Without a thread, as in `quickLook`, unless the blocks of a file that is replaced have to be freed. */
async function giveName(folder: Folder, from: string, to: string, replaces: boolean): Promise<void> {
  if (replaces) await rename(folder.at(from), folder.at(to))
  else renameSync(folder.at(from), folder.at(to))
}

/** File systems without hard links answer one of these. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])

/** Gives a name that no other file has: the system decides between two writers, also when one of them takes no lock. */
function giveNewName(folder: Folder, from: string, path: FilePath): void {
  const to = folder.at(nameOf(path))
  try {
    linkSync(folder.at(from), to)
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw preconditionFailed(path, "it is there already")
    if (!NO_LINKS.has(systemCode(error))) throw error
    renameSync(folder.at(from), to)
    return
  }
  try {
    unlinkSync(folder.at(from))
  } catch {
    // The file has its name. The sweep at the next start removes the other one.
  }
}

function checkName(path: FilePath): void {
  if (!isTemporaryPath(path)) return
  const message = `Path ${quotePath(path)} has a name that begins with ${TEMPORARY_PREFIX}, which is kept for files being written; choose another name.`
  throw new AssayError("bad_path", message, { context: { storage: "local", path } })
}

function checkDigest(path: FilePath, sha256: string, expected: string | undefined): void {
  if (expected === undefined || expected === sha256) return
  const message = `The bytes for ${quotePath(path)} have the SHA-256 ${sha256}, not ${expected}; nothing was changed. Send them again.`
  throw new AssayError("checksum_mismatch", message, { context: { storage: "local", path, sha256, expected } })
}

import { isAssayError } from "@assay/schemas"
import type { FilePath, ReadOptions, ReadResult, StoredFile } from "@assay/storage"
import type { Abortable } from "@assay/database"
import type { FileDigests } from "./file-digests.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import type { OpenedFileset, CurrentRevisions } from "./current/current-revisions.ts"
import { readKept, statKept, type KeptSource } from "./kept/read-kept.ts"
import { changingFile, fileNotFoundAt, revisionFileOf, type Revision, type RevisionFileInfo } from "./revisions.ts"
import type { RevisionFile } from "./revision-file.ts"

/** Files of an opened fileset: the present ones (`old` undefined), or those of an old revision. */
export interface RevisionFiles {
  stat(fileset: OpenedFileset, path: FilePath, old: Revision | undefined, options: Abortable): Promise<RevisionFileInfo>
  read(
    fileset: OpenedFileset,
    path: FilePath,
    old: Revision | undefined,
    options: ReadOptions,
  ): Promise<Omit<ReadResult, "file"> & RevisionFileInfo>
}

/** How often an operation is repeated if the file is replaced meanwhile. */
const MAX_ATTEMPTS = 20

/** The services that reads of files use. */
interface ReadContext {
  readonly database: FilesetsContext["database"]
  readonly current: CurrentRevisions
  readonly digests: FileDigests
}

/**
 * Reads each file from its storage. The commit in the result is a revision with exactly this version of the file. A version that was
 * replaced or deleted is read from the kept bytes.
 */
export function createRevisionFiles(context: ReadContext): RevisionFiles {
  return {
    stat: (fileset, path, old, options) => statRevisionFile(context, { fileset, path, old }, options),
    read: (fileset, path, old, options) => readRevisionFile(context, { fileset, path, old }, options),
  }
}

interface NamedFile {
  readonly fileset: OpenedFileset
  readonly path: FilePath
  /** Undefined: the present revision. */
  readonly old: Revision | undefined
}

async function statRevisionFile(
  context: ReadContext,
  { fileset, path, old }: NamedFile,
  options: Abortable,
): Promise<RevisionFileInfo> {
  const { digests } = context
  const former = old && (await formerOf(fileset, path, old))
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const stored = await find(context, { fileset, path, former }, () => fileset.storage.stat(path, options))
    if (former !== undefined && (stored === undefined || isOther(stored, former))) {
      return { commit: former.old.commit, file: await statKept(context, fileset, former) }
    }
    if (stored === undefined) break
    const commit = await commitOf(context, fileset, revisionFileOf(stored), former)
    const [sha256] = await digests.all(fileset, [revisionFileOf(stored)])
    // The file was replaced in the meantime: try again.
    if (typeof sha256 === "string") return { commit, file: withDigest(stored, sha256) }
  }
  throw changingFile(fileset, path)
}

async function readRevisionFile(
  context: ReadContext,
  { fileset, path, old }: NamedFile,
  options: ReadOptions,
): ReturnType<RevisionFiles["read"]> {
  const { digests } = context
  const former = old && (await formerOf(fileset, path, old))
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const found = await find(context, { fileset, path, former }, () => fileset.storage.read(path, options))
    if (former !== undefined && (found === undefined || isOther(found.file, former))) {
      if (found !== undefined) await discard(found)
      return { ...(await readKept(context, fileset, former, options)), commit: former.old.commit }
    }
    if (found === undefined) break
    const { file, ...rest } = found
    try {
      const commit = await commitOf(context, fileset, revisionFileOf(file), former)
      const sha256 = await digests.known(fileset, revisionFileOf(file))
      if (sha256 !== undefined) return { ...rest, commit, file: withDigest(file, sha256) }
    } catch (error) {
      await discard(rest)
      throw error
    }
    await discard(rest)
    await digests.all(fileset, [revisionFileOf(file)])
  }
  throw changingFile(fileset, path)
}

interface WantedFile {
  readonly fileset: OpenedFileset
  readonly path: FilePath
  readonly former: KeptSource | undefined
}

/**
 * Asks the storage for the present file. Returns undefined if it is not the one that an old revision has, as far as this is known.
 * @param ask asks the storage for the file
 */
async function find<T>(
  context: ReadContext,
  { fileset, path, former }: WantedFile,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    // A range can be past the end of the present file, and within the former one.
    const isOfAnother = isAssayError(error, "range_not_satisfiable") && former !== undefined
    if (isOfAnother && isOther(await fileset.storage.stat(path), former)) return undefined
    if (!isAssayError(error, "not_found")) throw error
    if (former !== undefined) return undefined
    throw fileNotFoundAt(fileset, path, await commitWith(context, fileset, path))
  }
}

/** Returns the present commit, after a new scan if the last one shows another version. Without `version`, the file is missing. */
async function commitWith(
  { current }: ReadContext,
  fileset: OpenedFileset,
  path: string,
  version?: string,
): Promise<string> {
  const revision = await current.recent(fileset)
  if ((await revision.get(path))?.version === version) return revision.commit
  current.changed(fileset.id)
  return (await current.recent(fileset)).commit
}

async function commitOf(
  context: ReadContext,
  fileset: OpenedFileset,
  file: RevisionFile,
  former: KeptSource | undefined,
): Promise<string> {
  return former?.old.commit ?? commitWith(context, fileset, file.path, file.version)
}

/** Returns the version of the file that an old revision has. @throws `not_found` if it has no such file */
async function formerOf(fileset: OpenedFileset, path: FilePath, old: Revision): Promise<KeptSource> {
  const version = await old.get(path)
  if (version === undefined) throw fileNotFoundAt(fileset, path, old.commit)
  return { version, old }
}

/** Returns whether the bytes of the present file are not those that are wanted. */
function isOther(file: StoredFile | undefined, former: KeptSource | undefined): boolean {
  return former !== undefined && (file === undefined || revisionFileOf(file).version !== former.version.version)
}

function withDigest(file: StoredFile, sha256: string): RevisionFileInfo["file"] {
  return { ...file, sha256, etag: `"${sha256}"` }
}

/** Releases the bytes of a file that is not read. */
async function discard({ bytes }: Pick<ReadResult, "bytes">): Promise<void> {
  await bytes[Symbol.asyncIterator]().return?.()
}

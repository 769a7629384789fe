import { isAssayError } from "@assay/schemas"
import type { FilePath, ReadOptions, ReadResult, StoredFile } from "@assay/storage"
import type { Abortable } from "../records/queries.ts"
import type { FileDigests } from "./content-digests.ts"
import type { OpenedFileset } from "./create-revisions.ts"
import type { CurrentRevisions } from "./current-revisions.ts"
import { changingFile, fileNotFoundAt, revisionFileOf, type Revision, type RevisionFileInfo } from "./revisions.ts"
import type { RevisionFile } from "./revision-file.ts"

/** Files of an opened fileset: the present ones (`old` undefined), or those that have not changed since an old revision. */
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

/** Reads each file from its storage. The commit in the result is a revision with exactly this version of the file. */
export function createRevisionFiles(current: CurrentRevisions, digests: FileDigests): RevisionFiles {
  /** Returns the present commit, after a new scan if the last one shows another version. Without `version`, the file is missing. */
  async function commitWith(fileset: OpenedFileset, path: string, version?: string): Promise<string> {
    const revision = await current.recent(fileset)
    if ((await revision.get(path))?.version === version) return revision.commit
    current.changed(fileset.id)
    return (await current.recent(fileset)).commit
  }

  /** Returns the commit that contains this version of the file. @throws `not_found` if the old revision has another version */
  async function commitOf(fileset: OpenedFileset, file: RevisionFile, old: Revision | undefined): Promise<string> {
    if (old === undefined) return commitWith(fileset, file.path, file.version)
    if ((await old.get(file.path))?.version === file.version) return old.commit
    throw fileNotFoundAt(fileset, file.path, old.commit)
  }

  /** @param ask asks the storage for the file */
  async function find<T>(fileset: OpenedFileset, path: string, old: Revision | undefined, ask: () => Promise<T>) {
    if (old !== undefined && (await old.get(path)) === undefined) throw fileNotFoundAt(fileset, path, old.commit)
    try {
      return await ask()
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
      throw fileNotFoundAt(fileset, path, old?.commit ?? (await commitWith(fileset, path)))
    }
  }

  return {
    async stat(fileset, path, old, options) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const stored = await find(fileset, path, old, () => fileset.storage.stat(path, options))
        const commit = await commitOf(fileset, revisionFileOf(stored), old)
        const [sha256] = await digests.all(fileset, [revisionFileOf(stored)])
        // The file was replaced in the meantime: try again.
        if (typeof sha256 === "string") return { commit, file: withDigest(stored, sha256) }
      }
      throw changingFile(fileset, path)
    },

    async read(fileset, path, old, options) {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const { file, ...rest } = await find(fileset, path, old, () => fileset.storage.read(path, options))
        try {
          const commit = await commitOf(fileset, revisionFileOf(file), old)
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
    },
  }
}

function withDigest(file: StoredFile, sha256: string): RevisionFileInfo["file"] {
  return { ...file, sha256, etag: `"${sha256}"` }
}

/** Releases the bytes of a file that is not read. */
async function discard({ bytes }: Pick<ReadResult, "bytes">): Promise<void> {
  await bytes[Symbol.asyncIterator]().return?.()
}

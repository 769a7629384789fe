import { isAssayError } from "@assay/schemas"
import { parseFilePath, type ReadOptions, type ReadResult, type StoredFile } from "@assay/storage"
import type { Abortable } from "../registry.ts"
import type { CurrentTrees } from "./current-revisions.ts"
import type { FileDigests } from "./file-digests.ts"
import type { OpenedFileset } from "./create-revisions.ts"
import { changingFile, fileNotFoundAt } from "./revision-errors.ts"
import { treeFileOf } from "./revision-of.ts"
import type { Tree, TreeFile, TreeFileFacts } from "./revisions.ts"

/** Files of an opened fileset, as they are now (`old` undefined), or if they are still the same as in an old tree. */
export interface RevisionFiles {
  stat(fileset: OpenedFileset, path: string, old: Tree | undefined, options: Abortable): Promise<TreeFileFacts>
  read(
    fileset: OpenedFileset,
    path: string,
    old: Tree | undefined,
    options: ReadOptions,
  ): Promise<Omit<ReadResult, "file"> & TreeFileFacts>
}

/** How often a file may be replaced between the look at it and the reading. */
const MAX_LOOKS = 20

/** The file comes from its storage each time; the tree that it is said to be in has this very version of it. */
export function createRevisionFiles(current: CurrentTrees, digests: FileDigests): RevisionFiles {
  /** The commit in which the file has this version, or is missing. */
  async function commitWith(fileset: OpenedFileset, path: string, version?: string): Promise<string> {
    const tree = await current.recent(fileset)
    if (tree.get(path)?.version === version) return tree.commit
    current.changed(fileset.id)
    return (await current.recent(fileset)).commit
  }

  /** Answers where the file is the one that is asked for. @throws `not_found` */
  async function commitOf(fileset: OpenedFileset, file: TreeFile, old: Tree | undefined): Promise<string> {
    if (old === undefined) return commitWith(fileset, file.path, file.version)
    if (old.get(file.path)?.version === file.version) return old.commit
    throw fileNotFoundAt(fileset, file.path, old.commit)
  }

  /** @param look looks at the file in its storage */
  async function find<T>(fileset: OpenedFileset, path: string, old: Tree | undefined, look: () => Promise<T>) {
    if (old !== undefined && old.get(path) === undefined) throw fileNotFoundAt(fileset, path, old.commit)
    try {
      return await look()
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
      throw fileNotFoundAt(fileset, path, old?.commit ?? (await commitWith(fileset, path)))
    }
  }

  return {
    async stat(fileset, text, old, options) {
      const path = parseFilePath(text)
      for (let look = 1; look <= MAX_LOOKS; look += 1) {
        const stored = await find(fileset, path, old, () => fileset.storage.stat(path, options))
        const commit = await commitOf(fileset, treeFileOf(stored), old)
        const [sha256] = await digests.all(fileset, [treeFileOf(stored)])
        // Replaced meanwhile: it is looked at once more.
        if (typeof sha256 === "string") return { commit, file: withDigest(stored, sha256) }
      }
      throw changingFile(fileset, path)
    },

    async read(fileset, text, old, options) {
      const path = parseFilePath(text)
      for (let look = 1; look <= MAX_LOOKS; look += 1) {
        const { file, ...rest } = await find(fileset, path, old, () => fileset.storage.read(path, options))
        try {
          const commit = await commitOf(fileset, treeFileOf(file), old)
          const sha256 = await digests.known(fileset, treeFileOf(file))
          if (sha256 !== undefined) return { ...rest, commit, file: withDigest(file, sha256) }
        } catch (error) {
          await discard(rest)
          throw error
        }
        await discard(rest)
        await digests.all(fileset, [treeFileOf(file)])
      }
      throw changingFile(fileset, path)
    },
  }
}

function withDigest(file: StoredFile, sha256: string): TreeFileFacts["file"] {
  return { ...file, sha256, etag: `"${sha256}"` }
}

/** Lets go of what is not going to be read. */
async function discard({ bytes }: Pick<ReadResult, "bytes">): Promise<void> {
  await bytes[Symbol.asyncIterator]().return?.()
}

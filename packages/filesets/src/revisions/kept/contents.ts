import { AssayError, isAssayError } from "@assay/schemas"
import type { ReadOptions, ReadResult } from "@assay/storage"
import type { FilesetsContext } from "../../filesets-context.ts"
import type { OpenedFileset } from "../current/current-revisions.ts"
import type { RevisionFile } from "../revision-file.ts"
import type { RevisionFiles } from "../revision-files.ts"
import { findKeptContent } from "./find-kept.ts"

interface ContentsContext extends Pick<FilesetsContext, "database"> {
  readonly files: Pick<RevisionFiles, "read">
  /** Returns the present files with a content. */
  readonly find: (fileset: OpenedFileset, sha256: string) => Promise<readonly RevisionFile[]>
}

/** Contents of a fileset by their SHA-256, of present files and of former versions whose bytes are kept. */
interface Contents {
  has(fileset: OpenedFileset, sha256: string): Promise<boolean>
  /** @throws `not_found`, `range_not_satisfiable` */
  read(fileset: OpenedFileset, sha256: string, options: ReadOptions): Promise<Omit<ReadResult, "file">>
}

export function createContents(context: ContentsContext): Contents {
  const { find } = context
  return {
    async has(fileset, sha256) {
      if ((await find(fileset, sha256)).length > 0) return true
      return (await findKept(context, fileset, sha256)) !== undefined
    },
    async read(fileset, sha256, options) {
      for (const { path } of await find(fileset, sha256)) {
        const read = await readPresent(context, fileset, { path, sha256 }, options)
        if (read !== undefined) return read
      }
      const id = await findKept(context, fileset, sha256)
      if (id !== undefined && fileset.storage.kept !== undefined) {
        return fileset.storage.kept.read(id, { ...options, sha256 })
      }
      const { workspace, name } = fileset
      throw new AssayError(
        "not_found",
        `Fileset '${workspace}/${name}' does not have the content ${sha256} any more.`,
        {
          context: { workspace, fileset: name },
        },
      )
    },
  }
}

/** Returns undefined if the file was replaced or deleted in the meantime. */
async function readPresent(
  { files }: ContentsContext,
  fileset: OpenedFileset,
  { path, sha256 }: Pick<RevisionFile, "path"> & { readonly sha256: string },
  options: ReadOptions,
): Promise<Omit<ReadResult, "file"> | undefined> {
  try {
    const found = await files.read(fileset, path, undefined, options)
    if (found.file.sha256 === sha256) return found
    await found.bytes[Symbol.asyncIterator]().return?.()
    return undefined
  } catch (error) {
    // A range can be past the end of the file that came instead.
    if (isAssayError(error, "not_found") || isAssayError(error, "range_not_satisfiable")) return undefined
    throw error
  }
}

/** Returns the name of kept bytes that are on the storage. */
async function findKept(
  { database }: ContentsContext,
  { id: filesetId, storage }: OpenedFileset,
  sha256: string,
): Promise<string | undefined> {
  if (storage.kept === undefined) return undefined
  const found = await findKeptContent({ database }, filesetId, sha256)
  return found !== undefined && (await storage.kept.size(found.id)) === found.size ? found.id : undefined
}

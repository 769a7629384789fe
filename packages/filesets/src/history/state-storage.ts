import { AssayError, isAssayError } from "@assay/schemas"
import type { FilePath, ReadOptions, ReadResult, Storage, StoredFile } from "@assay/storage"
import type { FilesetsContext } from "../filesets-context.ts"
import { findVersion, versionGone } from "../revisions/kept/find-kept.ts"
import type { RevisionFile } from "../revisions/revision-file.ts"
import { revisionFileOf } from "../revisions/revisions.ts"
import type { FilesetState } from "./fileset-states.ts"
import type { OpenedHistory } from "./resolve-state.ts"

/**
 * Opens the files of a state as a storage that can't be written. A file that was replaced or deleted since is read from its kept bytes.
 * Reading it throws `revision_gone` if they are gone.
 */
export function openStateStorage(
  context: Pick<FilesetsContext, "database">,
  fileset: OpenedHistory,
  state: FilesetState,
): Storage {
  const { storage } = fileset
  const known = new Map<string, RevisionFile>()
  const find = async (path: FilePath): Promise<RevisionFile> => {
    const before = known.get(path)
    if (before !== undefined) return before
    for await (const file of state.files(path)) {
      if (file.path !== path) continue
      known.set(path, file)
      return file
    }
    const message = `File '${path}' not found in fileset '${fileset.workspace}/${fileset.name}' at ${state.revision}`
    throw new AssayError("not_found", message, { context: { fileset: fileset.name, path, revision: state.revision } })
  }
  return {
    type: storage.type,
    capabilities: { ...storage.capabilities, write: false, delete: false },
    stat: async (path) => storedFileOf(await find(path)),
    async *list({ prefix, after } = {}) {
      const within = prefix?.replace(/\/$/, "")
      for await (const file of state.files(within as FilePath | undefined)) {
        const isFolder = prefix !== undefined && prefix !== within
        if ((isFolder && file.path === within) || (after !== undefined && file.path <= after)) continue
        yield storedFileOf(file)
      }
    },
    async read(path, options) {
      const version = await find(path)
      return (await readPresent(storage, version, options)) ?? readKept(version, options)
    },
    write: readOnly,
    delete: readOnly,
  }

  async function readKept(version: RevisionFile, options: ReadOptions = {}): Promise<ReadResult> {
    const { kept } = storage
    const found = await findVersion(context, fileset.id, version)
    if (found?.gone_at !== null || kept === undefined)
      throw versionGone(fileset, { path: version.path, at: state.revision }, found)
    return { ...(await kept.read(found.id, options)), file: storedFileOf(version) }
  }
}

/** Reads the present file of a path; undefined if it is another version. */
async function readPresent(
  storage: Storage,
  { path, version }: RevisionFile,
  options: ReadOptions | undefined,
): Promise<ReadResult | undefined> {
  try {
    const found = await storage.read(path, options)
    if (revisionFileOf(found.file).version === version) return found
    await found.bytes[Symbol.asyncIterator]().return?.()
    return undefined
  } catch (error) {
    // A range can be past the end of the present file, and within the former one.
    if (isAssayError(error, "not_found") || isAssayError(error, "range_not_satisfiable")) return undefined
    throw error
  }
}

function storedFileOf({ path, size, version, sha256 }: RevisionFile): StoredFile {
  return { path, size, sha256, etag: version, updatedAt: null }
}

async function readOnly(): Promise<never> {
  throw new AssayError("unsupported", "A revision can't be changed; change the present files.")
}

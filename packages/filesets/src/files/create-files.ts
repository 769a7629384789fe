import { AssayError, isAssayError, type FileInfo, type FilesetUsage } from "@assay/schemas"
import { type FilePath, STORAGE_CAPABILITIES, type Storage, type StoredFile } from "@assay/storage"
import { parseJson, notFoundIn } from "@assay/database"
import type { FilesetRow, FindFileset, LocateFileset } from "../filesets/fileset-row.ts"
import { forgetUsage, readUsage, recordUsage } from "../filesets/stored-bytes.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import { folderOf } from "../storages/storage-configuration.ts"
import type { Files, MeantFileset, WritableFileset } from "./files.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import { browseFiles, isBrowsing } from "./browse-files.ts"
import type { InTurns } from "./browse-folder.ts"
import { fileInfoOf, listFiles, shareFiles, streamFiles } from "./list-files.ts"
import type { OpenFileset } from "./open-fileset.ts"
import { jsonOf, type Listings } from "./share-listings.ts"

export interface FilesOptions {
  readonly find: FindFileset
  readonly locate: LocateFileset
  readonly open: OpenFileset
  readonly rights: SecretRights
  readonly listings: Listings
  /** The caller who changes files, for their history. Default: unknown. */
  readonly author?: string | undefined
}

type FilesetName = Pick<FilesetRow, "workspace" | "name">

interface OpenedFiles {
  readonly fileset: FilesetRow
  readonly storage: Storage
}

/** Creates the files of filesets for a caller with these rights to secrets. */
export function createFiles(
  { database }: FilesetsContext,
  { find, locate, open, rights, listings, author = "" }: FilesOptions,
): Files {
  /** @param check called before the storage is opened */
  async function openFileset(
    workspace: string,
    name: string,
    check?: (fileset: FilesetRow) => void,
  ): Promise<OpenedFiles> {
    const fileset = await find(workspace, name)
    check?.(fileset)
    return { fileset, storage: await open(fileset, rights) }
  }

  const isCounted = ({ owns_bytes, storage_type }: FilesetRow) => owns_bytes === 1 && storage_type === "local"

  /** Records the number of files of a fileset that triggers don't count. */
  async function noteUsage(fileset: FilesetRow, found: FilesetUsage): Promise<void> {
    if (isCounted(fileset)) return
    const known = (await readUsage(database, [fileset.id])).get(fileset.id)
    if (known?.files === found.files && known.bytes === found.bytes) return
    await database.write((queries) => recordUsage(queries, fileset.id, found), { durable: false })
  }

  const forget = async (fileset: FilesetRow) => (isCounted(fileset) ? undefined : forgetUsage(database, fileset.id))

  /** Returns whether a fileset has this version of a file. */
  async function holds({ workspace, name }: FilesetName, { path, etag }: StoredFile): Promise<boolean> {
    const { storage } = await openFileset(workspace, name)
    const found = await storage.stat(path).catch((error: unknown) => {
      if (!isAssayError(error, "not_found")) throw error
    })
    return found?.etag === etag
  }

  /** Writes a file to an opened fileset. */
  async function writeTo(
    { fileset, storage }: OpenedFiles,
    ...[path, bytes, options]: Parameters<WritableFileset["write"]>
  ): Promise<FileInfo> {
    const isGone = () => notFoundIn(database, fileset.workspace, "Fileset", fileset.name)
    try {
      const file = await storage.write(path, bytes, { change: { author }, ...options })
      await forget(fileset)
      // A rename does not stop a write. The response has the present name.
      const current = await locate(fileset.id).catch((error: unknown) => {
        // The file exists. Local storage has a trash, so that no later fileset gets the file.
        if (storage.type !== "local") throw error
        return fileset
      })
      // Only on a default storage without a trash: there a late file is not removed with its fileset.
      const isOrphan = current === undefined && storage.type !== "local"
      // The fileset was removed and restored into another folder, which took the file along if its own folder was there already.
      const isElsewhere =
        current !== undefined && folderOf(current) !== folderOf(fileset) && !(await holds(current, file))
      const isLate = fileset.owns_bytes === 1 && (isOrphan || isElsewhere)
      if (!isLate) return fileInfoOf(file, current ?? fileset)
      await takeBack(storage, file)
      throw await isGone()
    } catch (error) {
      // The digest is stored before the file gets its name. This fails if the fileset was removed in the meantime.
      if (database.dialect.failureOf(error) !== "missing_parent") throw error
      throw await isGone()
    }
  }

  async function openWritable(
    workspace: string,
    name: string,
    { filesetId }: MeantFileset = {},
  ): Promise<WritableFileset> {
    const opened = await openFileset(workspace, name, (found) => checkChange(found, filesetId))
    return {
      id: opened.fileset.id,
      workspace,
      // Only checks of rows need it, and it can be large.
      get metadata() {
        return parseJson(opened.fileset.metadata)
      },
      write: (path, bytes, options) => writeTo(opened, path, bytes, options),
    }
  }

  /** Reads a listing of a local folder in turn with all others: its calls to the system occupy this thread. */
  const inTurnsOf =
    ({ type }: Storage): InTurns =>
    (entries) =>
      type === "local" ? listings.entriesInTurns(entries) : entries

  return {
    async list(workspace, name, query) {
      const { fileset, storage } = await openFileset(workspace, name)
      if (isBrowsing(query)) return browseFiles({ fileset, storage, inTurns: inTurnsOf(storage) }, query)
      return listFiles(storage, fileset, query, noteUsage)
    },

    async *stream(workspace, name, query) {
      const fileset = await find(workspace, name)
      const storage = await open(fileset, rights)
      const isWhole = query.limit === undefined && query.page_token === undefined
      if (isWhole && storage.type === "local") {
        return yield* shareFiles({ listings, storage, fileset, query, onUsage: noteUsage })
      }
      const batches = streamFiles(storage, fileset, query, noteUsage)
      return yield* storage.type === "local" ? listings.inTurns(batches) : jsonOf(batches)
    },

    async *walk(workspace, name, options) {
      const { storage } = await openFileset(workspace, name)
      yield* inTurnsOf(storage)(storage.list(options))
    },

    async stat(workspace, name, path, options) {
      const { fileset, storage } = await openFileset(workspace, name)
      const file = await orNotFound(storage.stat(path, options), { workspace, name, path })
      return fileInfoOf(file, fileset)
    },

    async read(workspace, name, path, options) {
      const { storage } = await openFileset(workspace, name)
      return orNotFound(storage.read(path, options), { workspace, name, path })
    },

    openWritable,

    async write(workspace, name, path, bytes, { filesetId, ...options } = {}) {
      return (await openWritable(workspace, name, { filesetId })).write(path, bytes, options)
    },

    async remove(workspace, name, path, { filesetId, ...options } = {}) {
      const { fileset, storage } = await openFileset(workspace, name, (found) => checkChange(found, filesetId))
      const file = await orNotFound(storage.stat(path, options), { workspace, name, path })
      await storage.delete(path, { change: { author }, ...options })
      await forget(fileset)
      return fileInfoOf(file, fileset)
    },

    open: async (workspace, name) => open(await find(workspace, name), rights),
  }
}

/** @throws `method_not_allowed`; `not_found` if the name now belongs to another fileset than the one with the id `meant` */
function checkChange(fileset: FilesetRow, meant: string | undefined): void {
  const { id, workspace, name } = fileset
  if (meant !== undefined && meant !== id) {
    const message = `Fileset '${workspace}/${name}' is no longer the same fileset: the intended one was renamed or removed; begin again.`
    throw new AssayError("not_found", message, { context: { workspace, fileset: name } })
  }
  checkWritable(fileset)
}

/** Checks the storage type, before the storage is opened. @throws `method_not_allowed` */
function checkWritable({ workspace, name, storage_type }: FilesetRow): void {
  if (STORAGE_CAPABILITIES[storage_type].write) return
  const message = `Fileset '${workspace}/${name}' can't be written: its ${storage_type} storage is read-only; write to a fileset on the server's default storage or on an object store.`
  throw new AssayError("method_not_allowed", message, { context: { workspace, fileset: name, storage: storage_type } })
}

interface FileAddress {
  readonly workspace: string
  readonly name: string
  readonly path: FilePath
}

/** Returns the result of `work`. Replaces its `not_found` by one with the address that the caller knows. */
async function orNotFound<T>(work: Promise<T>, { workspace, name, path }: FileAddress): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
    const message = `File '${path}' not found in fileset '${workspace}/${name}'`
    throw new AssayError("not_found", message, { context: { workspace, fileset: name, path }, cause: error })
  }
}

/**
 * Deletes a file whose fileset was removed while it was written. It may have been written after all other files were
 * deleted, and a new fileset of the same name must not contain it.
 */
async function takeBack(storage: Storage, { path, etag }: StoredFile): Promise<void> {
  const found = await storage.stat(path).catch((error: unknown) => {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  })
  // A file with another ETag belongs to the fileset that has the name now.
  if (found?.etag === etag) await storage.delete(path)
}

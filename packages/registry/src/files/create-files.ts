import { AssayError, isAssayError } from "@assay/schemas"
import { parseFilePath, parseNewFilePath, STORAGE_CAPABILITIES, type Storage, type StoredFile } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { FindFileset, LocateFileset } from "../filesets/find-fileset.ts"
import { notFoundIn } from "../records/not-found.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Files, SecretRights } from "../registry.ts"
import { fileInfoOf } from "./file-info.ts"
import { listFiles } from "./list-files.ts"
import type { OpenFileset } from "./open-fileset.ts"

export interface FilesOptions {
  readonly find: FindFileset
  readonly locate: LocateFileset
  readonly open: OpenFileset
  readonly rights: SecretRights
}

/** The files of filesets, for a caller who may use secrets where `rights` says so. */
export function createFiles({ database }: RegistryContext, { find, locate, open, rights }: FilesOptions): Files {
  /** @param check refuses before the storage is opened */
  async function openFile(workspace: string, name: string, text: string, check?: (fileset: FilesetRow) => void) {
    const path = parseFilePath(text)
    const fileset = await find(workspace, name)
    check?.(fileset)
    return { fileset, storage: await open(fileset, rights), path }
  }

  return {
    async list(workspace, name, query) {
      const fileset = await find(workspace, name)
      return listFiles(await open(fileset, rights), fileset, query)
    },

    async stat(workspace, name, text, options) {
      const { fileset, storage, path } = await openFile(workspace, name, text)
      const file = await orNotFound(storage.stat(path, options), { workspace, name, path })
      return fileInfoOf(file, fileset)
    },

    async read(workspace, name, text, options) {
      const { storage, path } = await openFile(workspace, name, text)
      return orNotFound(storage.read(path, options), { workspace, name, path })
    },

    async write(workspace, name, text, bytes, { filesetId, ...options } = {}) {
      parseNewFilePath(text)
      const { fileset, storage, path } = await openFile(workspace, name, text, (fileset) =>
        checkChange(fileset, filesetId),
      )
      const isGone = () => notFoundIn(database, workspace, "Fileset", name)
      try {
        const file = await storage.write(path, bytes, options)
        // A rename does not stop a write: the answer names the file as it is found now.
        const current = await locate(fileset.id)
        // Only files that go with their fileset, and can't be moved aside with it in one step.
        const isLate = current === undefined && fileset.owns_bytes === 1 && storage.type !== "local"
        if (!isLate) return fileInfoOf(file, current ?? fileset)
        await takeBack(storage, file)
        throw await isGone()
      } catch (error) {
        // Before a file gets its name its digest is kept, and that finds no fileset to belong to: it was removed meanwhile.
        if (database.dialect.failureOf(error) !== "missing_parent") throw error
        throw await isGone()
      }
    },

    async remove(workspace, name, text, { filesetId, ...options } = {}) {
      const { fileset, storage, path } = await openFile(workspace, name, text, (fileset) =>
        checkChange(fileset, filesetId),
      )
      const file = await orNotFound(storage.stat(path, options), { workspace, name, path })
      await storage.delete(path, options)
      return fileInfoOf(file, fileset)
    },

    async checkWritable(workspace, name) {
      const fileset = await find(workspace, name)
      checkWritable(fileset)
      await open(fileset, rights)
    },

    open: async (workspace, name) => open(await find(workspace, name), rights),
  }
}

/** @throws `method_not_allowed`; `not_found` where the name is another fileset's than the one with the id `meant` */
function checkChange(fileset: FilesetRow, meant: string | undefined): void {
  const { id, workspace, name } = fileset
  if (meant !== undefined && meant !== id) {
    const message = `Fileset '${workspace}/${name}' is another one now: the one that was meant was renamed or removed meanwhile; begin again.`
    throw new AssayError("not_found", message, { context: { workspace, fileset: name } })
  }
  checkWritable(fileset)
}

/** What its type tells before anything of it is opened. @throws `method_not_allowed` */
function checkWritable({ workspace, name, storage_type }: FilesetRow): void {
  if (STORAGE_CAPABILITIES[storage_type].write) return
  const message = `Fileset '${workspace}/${name}' can't be written: its ${storage_type} storage is read-only; write to a fileset on the server's default storage or on an object store.`
  throw new AssayError("method_not_allowed", message, { context: { workspace, fileset: name, storage: storage_type } })
}

interface FileAddress {
  readonly workspace: string
  readonly name: string
  readonly path: string
}

/** What `work` answers; that there is no such file is told by the address that the caller knows. */
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
 * Deletes a file again whose fileset was removed while it was written: it can have come after everything else was deleted, and
 * a fileset that takes the name must not find it.
 */
export async function takeBack(storage: Storage, { path, etag }: StoredFile): Promise<void> {
  const found = await storage.stat(path).catch((error: unknown) => {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  })
  // Another one is of the fileset that has the name now.
  if (found?.etag === etag) await storage.delete(path)
}

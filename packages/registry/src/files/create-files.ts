import { AssayError, isAssayError } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import type { FindFileset } from "../filesets/find-fileset.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Files } from "../registry.ts"
import { notFoundIn } from "../workspaces/not-found-in.ts"
import { fileInfoOf } from "./file-info.ts"
import { listFiles } from "./list-files.ts"
import type { OpenFileset } from "./open-fileset.ts"

export function createFiles({ database }: RegistryContext, find: FindFileset, open: OpenFileset): Files {
  async function openFile(workspace: string, name: string, text: string) {
    const path = parseFilePath(text)
    const fileset = await find(workspace, name)
    return { fileset, storage: await open(fileset), path }
  }

  return {
    async list(workspace, name, query) {
      const fileset = await find(workspace, name)
      return listFiles(await open(fileset), fileset, query)
    },

    async stat(workspace, name, text) {
      const { fileset, storage, path } = await openFile(workspace, name, text)
      const file = await orNotFound(storage.stat(path), { workspace, name, path })
      return fileInfoOf(file, fileset)
    },

    async read(workspace, name, text, options) {
      const { storage, path } = await openFile(workspace, name, text)
      return orNotFound(storage.read(path, options), { workspace, name, path })
    },

    async write(workspace, name, text, bytes, options) {
      const { fileset, storage, path } = await openFile(workspace, name, text)
      try {
        return fileInfoOf(await storage.write(path, bytes, options), fileset)
      } catch (error) {
        // Before a file gets its name its digest is kept, and that finds no fileset to belong to: it was removed meanwhile.
        if (database.dialect.failureOf(error) !== "missing_parent") throw error
        throw await notFoundIn(database, workspace, "Fileset", name)
      }
    },

    async remove(workspace, name, text) {
      const { fileset, storage, path } = await openFile(workspace, name, text)
      const file = await orNotFound(storage.stat(path), { workspace, name, path })
      await storage.delete(path)
      return fileInfoOf(file, fileset)
    },

    async checkWritable(workspace, name) {
      const { type, capabilities } = await open(await find(workspace, name))
      if (capabilities.write) return
      const message = `Fileset '${workspace}/${name}' can't be written: its ${type} storage is read-only`
      throw new AssayError("method_not_allowed", message, { context: { workspace, fileset: name, storage: type } })
    },

    open: async (workspace, name) => open(await find(workspace, name)),
  }
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

import { AssayError, isAssayError } from "@assay/schemas"
import { type FilePath, type ReadOptions, type ReadResult, resolveRange, type StoredFile } from "@assay/storage"
import type { CallerFilesets } from "@assay/filesets"
import type { PendingObject, PendingObjects } from "@assay/uploads"
import type { Repository } from "./hub-address.ts"
import { keptPath } from "./kept-objects.ts"

/** The content of a file or a pending object, found by its digest. */
export interface FoundObject {
  readonly size: number
  stat(options: Pick<ReadOptions, "signal">): Promise<StoredFile>
  read(options: ReadOptions): Promise<ReadResult>
}

/** Where objects are: in the files of a repository, and among the pending objects of its fileset. */
export interface ObjectStores {
  readonly registry: CallerFilesets
  readonly pendingObjects: PendingObjects
  readonly repository: Repository
}

const DIGEST = /^[0-9a-f]{64}$/

/** Returns whether a text is a digest as LFS writes it. */
export function isObjectId(oid: string): boolean {
  return DIGEST.test(oid)
}

/** Finds an object among the files and the pending objects. Returns undefined if it does not exist. */
async function findObject(
  { registry, pendingObjects, repository: { ws, name } }: ObjectStores,
  sha256: string,
): Promise<FoundObject | undefined> {
  const { filesets, revisions, files } = registry
  if (!isObjectId(sha256)) return undefined
  // Looked up by its path: each upload changes the listing, which the search would read again.
  const path = keptPath(sha256)
  const kept = await files.stat(ws, name, path).catch(unlessMissing)
  if (kept?.sha256 === sha256) {
    return {
      size: kept.size,
      stat: async (options) => (await revisions.stat(ws, name, path, options)).file,
      read: (options) => revisions.read(ws, name, path, options),
    }
  }
  const [file] = (await revisions.find(ws, name, [sha256])).get(sha256) ?? []
  if (file !== undefined) {
    return {
      size: file.size,
      stat: async (options) => (await revisions.stat(ws, name, file.path, options)).file,
      read: (options) => revisions.read(ws, name, file.path, options),
    }
  }
  const object = { fileset: (await filesets.get(ws, name)).id, sha256 }
  const size = await pendingObjects.size(object)
  return size === undefined ? undefined : pendingObject(pendingObjects, object, size)
}

function unlessMissing(error: unknown): undefined {
  if (isAssayError(error, "not_found")) return undefined
  throw error
}

/** Finds an object. @throws `not_found` */
export async function getObject(stores: ObjectStores, oid: string): Promise<FoundObject> {
  const found = await findObject(stores, oid)
  if (found !== undefined) return found
  const { ws, name } = stores.repository
  throw new AssayError("not_found", `'${ws}/${name}' has no object ${oid}; send it first.`)
}

function pendingObject(pendingObjects: PendingObjects, object: PendingObject, size: number): FoundObject {
  const { sha256 } = object
  const file = { path: sha256 as FilePath, size, etag: `"${sha256}"`, sha256, updatedAt: null }
  return {
    size,
    stat: async () => file,
    async read({ range }) {
      if (range === undefined) return { file, bytes: pendingObjects.read(object, { start: 0, end: size - 1 }) }
      const part = resolveRange(range, size)
      return { file, range: part, bytes: pendingObjects.read(object, part) }
    },
  }
}

import { AssayError } from "@assay/schemas"
import { isCachingStorage, type CachingStorage, type StoredFile } from "@assay/storage"
import type { OpenFileset } from "../files/open-fileset.ts"
import type { FilesetRow, FindFileset } from "../filesets/fileset-row.ts"
import { notFoundIn } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import type { Caches } from "./caches.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import type { Warmups } from "./create-warmups.ts"
import { forgetWarmup, readWarmup, recordWarmup } from "./warmup-rows.ts"

interface CachesOptions {
  readonly find: FindFileset
  readonly open: OpenFileset
  readonly rights: SecretRights
  /** Undefined if there is no read cache. */
  readonly warmups: Warmups | undefined
}

/** Files whose entries are removed in one step. */
const GROUP = 1000

/** Creates the caches of filesets for a caller with these rights to secrets. */
export function createCaches(context: FilesetsContext, { find, open, rights, warmups }: CachesOptions): Caches {
  const { database, now } = context

  async function openCaching(fileset: FilesetRow): Promise<CachingStorage> {
    const storage = await open(fileset, rights)
    if (isCachingStorage(storage)) return storage
    throw notCached(fileset, warmups === undefined)
  }

  return {
    get: async (workspace, name) => readWarmup(context, (await find(workspace, name)).id),

    async warm(workspace, name) {
      const fileset = await find(workspace, name)
      await openCaching(fileset)
      try {
        await database.write((queries) => recordWarmup(queries, fileset.id, now()))
      } catch (error) {
        // The fileset was removed in the meantime.
        if (database.dialect.failureOf(error) !== "missing_parent") throw error
        throw await notFoundIn(database, workspace, "Fileset", name)
      }
      warmups?.wake()
      return readWarmup(context, fileset.id)
    },

    async drop(workspace, name, options = {}) {
      const fileset = await find(workspace, name)
      const storage = await openCaching(fileset)
      await forgetWarmup(context, fileset.id)
      await warmups?.callOff(fileset.id)
      let group: StoredFile[] = []
      for await (const file of storage.list(options)) {
        group.push(file)
        if (group.length < GROUP) continue
        await storage.uncache(group)
        group = []
      }
      await storage.uncache(group)
      return readWarmup(context, fileset.id)
    },
  }
}

function notCached({ workspace, name, storage_type, owns_bytes }: FilesetRow, isOff: boolean): AssayError {
  const isNear = storage_type === "local" || owns_bytes === 1
  const why = isNear
    ? "its storage is as fast as the cache"
    : isOff
      ? "this server has no read cache; its operator can turn it on with ASSAY_CACHE_MAX_BYTES"
      : `its ${storage_type} storage does not identify the content of files`
  const message = `Fileset '${workspace}/${name}' is not cached: ${why}.`
  return new AssayError("method_not_allowed", message, { context: { workspace, fileset: name, storage: storage_type } })
}

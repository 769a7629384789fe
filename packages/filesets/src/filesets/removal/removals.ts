import { setTimeout } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { forEachParallel, type FilePath, type Storage } from "@assay/storage"
import type { Background } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { openAt } from "../../storages/open-storage.ts"
import { storageOf } from "../../storages/storage-configuration.ts"
import { leaseRemoved, LEASE_MS, endLease, forgetRemoved, renewLease, type LeasedFileset } from "./lease-removed.ts"

/**
 * Deletes the files of removed filesets in the background, on a default storage that has no trash. The database records
 * which filesets have files left, so that a crash loses none. Servers that share the database share the work.
 */
export interface Removals {
  /** Starts a worker, unless enough are running. */
  wake(): void
  /**
   * Waits until no removed fileset of that name has files left, and helps to delete them.
   * @throws `unavailable` after 20 seconds, and the errors of the storage
   */
  settle(workspace: string, name: string, signal?: AbortSignal): Promise<void>
}

/** Number of filesets whose files are deleted at a time. */
const LANES = 4
const PATIENCE_MS = 20_000
const LOOK_MS = 100

export function createRemovals(
  context: EmptyingContext & { readonly background: Background },
  patienceMs = PATIENCE_MS,
): Removals {
  const { background, database } = context
  let lanes = 0

  function wake(): void {
    if (lanes === LANES) return
    lanes += 1
    background.start("delete the files of removed filesets", async (signal) => {
      try {
        for (;;) {
          signal.throwIfAborted()
          const leased = await leaseRemoved(context)
          if (leased === undefined) return
          await emptyRemoved(context, leased, signal)
        }
      } finally {
        lanes -= 1
      }
    })
  }

  // Looks for deletions that another server did not finish, and for those that failed before.
  background.start("look for removed filesets", async (signal) => {
    for (;;) {
      wake()
      await setTimeout(LEASE_MS, undefined, { signal, ref: false })
    }
  })

  async function isLeft(workspace: string, name: string): Promise<boolean> {
    const row = await database.read((queries) =>
      queries
        .selectFrom("removed_filesets")
        .select("id")
        .where((removed) => removed.and({ workspace, name }))
        .executeTakeFirst(),
    )
    return row !== undefined
  }

  return {
    wake,
    async settle(workspace, name, signal) {
      const limit = AbortSignal.timeout(patienceMs)
      const ending = signal === undefined ? limit : AbortSignal.any([signal, limit])
      try {
        while (await isLeft(workspace, name)) {
          const leased = await leaseRemoved(context, { workspace, name })
          if (leased === undefined) await setTimeout(LOOK_MS, undefined, { signal: ending })
          else await emptyRemoved(context, leased, ending)
        }
      } catch (error) {
        signal?.throwIfAborted()
        throw limit.aborted ? stillThere(workspace, name) : error
      }
    },
  }
}

function stillThere(workspace: string, name: string): AssayError {
  const message = `The files of the removed fileset '${workspace}/${name}' are still being deleted; try again in a moment, or choose another name.`
  return new AssayError("unavailable", message, { context: { workspace, fileset: name, retryAfter: 10 } })
}

/** Files that are deleted between two renewals of the lease. */
const GROUP = 256
/** Files that are deleted at a time. */
const PARALLEL = 16

type EmptyingContext = Pick<
  FilesetsContext,
  "database" | "now" | "steadyNow" | "remote" | "defaultStorage" | "checkEndpoint"
>

/**
 * Deletes every file of a removed fileset. After the last one, the name is free again. After an error, the rest of the
 * lease is the pause before the next attempt.
 */
async function emptyRemoved(context: EmptyingContext, leased: LeasedFileset, signal: AbortSignal): Promise<void> {
  let lease = leased
  try {
    const configuration = storageOf({ ...leased, owns_bytes: 1, subfolder: "", folder: "" }, context.defaultStorage)
    const location = { configuration, workspace: leased.workspace, isOwn: true }
    const { storage } = await openAt(context, location, { signal })
    for await (const paths of groupsOf(storage, signal)) {
      const renewed = await renewLease(context, lease)
      if (renewed === undefined) return
      lease = renewed
      // Stop well before the lease ends: the files of a later fileset with the name must not be deleted.
      await deleteAll(storage, paths, AbortSignal.any([signal, AbortSignal.timeout(LEASE_MS / 2)]))
    }
    await forgetRemoved(context, lease)
  } catch (error) {
    if (signal.aborted) await endLease(context, lease)
    throw error
  }
}

async function* groupsOf(storage: Storage, signal: AbortSignal): AsyncGenerator<readonly FilePath[]> {
  let group: FilePath[] = []
  for await (const { path } of storage.list({ signal })) {
    group.push(path)
    if (group.length < GROUP) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

async function deleteAll(storage: Storage, paths: readonly FilePath[], signal: AbortSignal): Promise<void> {
  await forEachParallel(paths, PARALLEL, (path) => storage.delete(path, { signal }))
}

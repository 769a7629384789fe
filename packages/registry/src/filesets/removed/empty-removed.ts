import type { FilePath, Storage } from "@assay/storage"
import { openAt } from "../../files/open-at.ts"
import type { RegistryContext } from "../../registry-context.ts"
import { storageOf } from "../storage-of.ts"
import { endLease, forgetRemoved, LEASE_MS, renewLease, type LeasedFileset } from "./lease-removed.ts"

/** Files that are deleted between two renewals of the lease, and how many of them at a time. */
const GROUP = 256
const AT_ONCE = 16

export type EmptyingContext = Pick<RegistryContext, "database" | "now" | "remote" | "defaultStorage" | "checkEndpoint">

/**
 * Deletes every file of a removed fileset; with the last one, the name is free again. After an error the rest of the
 * lease is the pause before the next attempt.
 */
export async function emptyRemoved(
  context: EmptyingContext,
  leased: LeasedFileset,
  signal: AbortSignal,
): Promise<void> {
  let lease = leased
  try {
    const configuration = storageOf({ ...leased, owns_bytes: 1, subfolder: "", folder: "" }, context.defaultStorage)
    const place = { configuration, workspace: leased.workspace, isOwn: true }
    const { storage } = await openAt(context, place, { signal })
    for await (const paths of groupsOf(storage, signal)) {
      const renewed = await renewLease(context, lease)
      if (renewed === undefined) return
      lease = renewed
      // Well before the lease ends: what a later fileset of the name writes must not be deleted.
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
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    await Promise.all(paths.slice(start, start + AT_ONCE).map((path) => storage.delete(path, { signal })))
  }
}

import { AssayError } from "@assay/schemas"
import { type FilePath, parseFilePath, type Storage } from "@assay/storage"
import { sql } from "kysely"
import type { FilesetsContext } from "./filesets-context.ts"
import { createOpenDefaultStorage } from "./storages/open-storage.ts"
import { settleStorageId } from "./storages/storage-id.ts"

/** Milliseconds in which a remote default storage has to respond. */
const PATIENCE_MS = 10_000

export function createCheckReady(context: FilesetsContext, guest: boolean): () => Promise<void> {
  const openDefaultStorage = createOpenDefaultStorage(context)
  const checkStorage = createCheckDefaultStorage(context, openDefaultStorage)
  return async () => {
    await context.database.read((queries) => sql`select 1`.execute(queries))
    context.database.checkFiles()
    await checkStorage((signal) => settleStorageId({ ...context, openDefaultStorage, guest }, signal))
  }
}

/** Checks the default storage before it is written to. */
type CheckFirst = (signal?: AbortSignal) => Promise<void>

/**
 * Checks that the default storage is writable, with a file at its root outside all filesets. A remote storage is written to
 * until it has accepted a write, and again after each failure. In between it is only read, because each write costs money.
 */
function createCheckDefaultStorage(
  { defaultStorage, newId }: FilesetsContext,
  open: () => Promise<Storage>,
): (checkFirst: CheckFirst) => Promise<void> {
  if (defaultStorage.type === "local") {
    return async (checkFirst) => {
      await checkFirst()
      await writeProbe(await open(), parseFilePath(`.ready/${newId("probe")}`))
    }
  }
  let isWritable = false
  return async (checkFirst) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const storage = await open()
      // The check reads, which is enough for a storage that has accepted a write.
      await checkFirst(signal)
      if (!isWritable) await writeProbe(storage, parseFilePath(".ready/probe"), signal)
      isWritable = true
    } catch (error) {
      isWritable = false
      throw signal.aborted ? tooSlow(error) : error
    }
  }
}

async function writeProbe(storage: Storage, probe: FilePath, signal?: AbortSignal): Promise<void> {
  const aborting = signal === undefined ? {} : { signal }
  await storage.write(probe, oneByte(), aborting)
  await storage.delete(probe, aborting)
}

async function* oneByte(): AsyncIterable<Uint8Array> {
  yield new Uint8Array(1)
}

function tooSlow(cause: unknown): AssayError {
  const message = `The default storage did not respond within ${PATIENCE_MS / 1000} s; check its address and that it can be reached from here.`
  return new AssayError("upstream_failed", message, { cause })
}

import { AssayError } from "@assay/schemas"
import { parseFilePath, probeStorage, type Storage } from "@assay/storage"
import { sql } from "kysely"
import type { RegistryContext } from "./registry-context.ts"
import type { Registry } from "./registry.ts"
import { createOpenDefaultStorage } from "./storages/open-storage.ts"

/** Milliseconds in which a remote default storage has to respond. */
const PATIENCE_MS = 10_000

export function createCheckReady(context: RegistryContext): Registry["checkReady"] {
  const checkStorage = createCheckDefaultStorage(context)
  return async () => {
    await context.database.read((queries) => sql`select 1`.execute(queries))
    await checkStorage()
  }
}

/**
 * Checks that the default storage is writable, with a file at its root outside all filesets. A remote storage is written to
 * until it has accepted a write, and again after each failure. In between it is only listed, because each write costs money.
 */
function createCheckDefaultStorage(context: RegistryContext): () => Promise<void> {
  const { defaultStorage, newId } = context
  const open = createOpenDefaultStorage(context)
  if (defaultStorage.type === "local") return async () => writeProbe(await open(), `.ready/${newId("probe")}`)
  let isWritable = false
  return async () => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const storage = await open()
      await (isWritable ? probeStorage(storage, signal) : writeProbe(storage, ".ready/probe", signal))
      isWritable = true
    } catch (error) {
      isWritable = false
      throw signal.aborted ? tooSlow(error) : error
    }
  }
}

async function writeProbe(storage: Storage, path: string, signal?: AbortSignal): Promise<void> {
  const probe = parseFilePath(path)
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

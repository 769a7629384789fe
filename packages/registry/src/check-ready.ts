import { parseFilePath, type Storage } from "@assay/storage"
import { sql } from "kysely"
import type { RegistryContext } from "./registry-context.ts"
import type { Registry } from "./registry.ts"

/** @param storage the server's default storage, opened at its root, where no fileset is */
export function createCheckReady({ database, newId }: RegistryContext, storage: Storage): Registry["checkReady"] {
  return async () => {
    await database.read((queries) => sql`select 1`.execute(queries))
    const probe = parseFilePath(`.ready/${newId("probe")}`)
    await storage.write(probe, oneByte())
    await storage.delete(probe)
  }
}

async function* oneByte(): AsyncIterable<Uint8Array> {
  yield new Uint8Array(1)
}

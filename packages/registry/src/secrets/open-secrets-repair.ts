import { openDatabase, type DatabaseOptions } from "../database/open-database.ts"
import { createEnvelope } from "./envelope.ts"
import { createKeyRing, type EncryptionKey } from "./key-ring.ts"
import { checkSecretsReadable, type UnreadableSecret } from "./unreadable-secrets.ts"

export interface SecretsRepairOptions {
  readonly database: DatabaseOptions
  /** Newest first; at least one. */
  readonly encryptionKeys: readonly EncryptionKey[]
  readonly randomBytes: (count: number) => Uint8Array
}

/** Discards secrets whose key is lost for good. Until then, `openRegistry` fails. */
export interface SecretsRepair {
  list(): Promise<readonly UnreadableSecret[]>
  /** Deletes these secrets, except those that got a new value in the meantime. Returns the number of deleted secrets. */
  discard(secrets: readonly UnreadableSecret[]): Promise<number>
  close(): Promise<void>
}

/** Opens the secrets of a database that no server uses. */
export async function openSecretsRepair(options: SecretsRepairOptions): Promise<SecretsRepair> {
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const database = await openDatabase(options.database, () => {})
  return {
    async list() {
      return (await checkSecretsReadable(database, envelope)).unreadable
    },
    discard: (secrets) =>
      database.write(async (queries) => {
        let discarded = 0
        for (const { workspace, name, key_name } of secrets) {
          const { numDeletedRows } = await queries
            .deleteFrom("secrets")
            .where((row) => row.and({ workspace, name, key_name }))
            .executeTakeFirst()
          discarded += Number(numDeletedRows)
        }
        return discarded
      }),
    close: () => database.close(),
  }
}

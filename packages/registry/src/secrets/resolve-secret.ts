import type { SecretAddress } from "@assay/schemas"
import type { Database } from "../database/database.ts"
import type { Envelope } from "./envelope.ts"
import { secretNotReadable } from "./secret-errors.ts"

/** The value of a secret. @throws `secret_not_readable` */
export type ResolveSecret = (secret: SecretAddress) => Promise<string>

export function createResolveSecret(database: Database, envelope: Envelope): ResolveSecret {
  return async ({ workspace, name }) => {
    const row = await database.read((queries) =>
      queries
        .selectFrom("secrets")
        .select(["value", "data_key", "key_name"])
        .where((secret) => secret.and({ workspace, name }))
        .executeTakeFirst(),
    )
    if (row === undefined) throw secretNotReadable(workspace, name)
    return envelope.unseal({ workspace, name }, row)
  }
}

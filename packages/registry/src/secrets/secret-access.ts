import type { SecretAddress } from "@assay/schemas"
import { slot, type Database } from "@assay/database"
import { secretNotReadable, type FilesetsContext } from "@assay/filesets"
import type { Envelope } from "./envelope.ts"

/** Returns the value of a secret. @throws `secret_not_readable` */
type ResolveSecret = (secret: SecretAddress) => Promise<string>

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

export function createSecretVersions(database: Database): FilesetsContext["secretVersions"] {
  const query = database.prepare((queries) =>
    queries
      .selectFrom("secrets")
      .select("updated_at")
      .where("workspace", "=", slot<string>("workspace"))
      .where("name", "=", slot<string>("name")),
  )
  return async (secrets) => {
    const found = await Promise.all(secrets.map(({ workspace, name }) => query.run({ workspace, name })))
    const times = secrets.map(({ workspace, name }, index) => {
      const row = found[index]?.[0]
      if (row === undefined) throw secretNotReadable(workspace, name)
      return row.updated_at
    })
    return times.join(" ")
  }
}

import { type SecretAddress, AssayError } from "@assay/schemas"
import type { Database } from "../database/database.ts"
import { slot } from "../database/prepared-query.ts"
import type { SecretRights } from "../registry.ts"
import type { Envelope } from "./envelope.ts"

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

/** A text that is another one as soon as any of the secrets was set anew. @throws `secret_not_readable` for one that is missing */
export type SecretVersions = (secrets: readonly SecretAddress[]) => Promise<string>

export function createSecretVersions(database: Database): SecretVersions {
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

/**
 * That a caller may use secrets which a fileset in `home` names. Those of `home` come with the right to the fileset.
 * @throws `secret_not_readable`
 */
export function checkSecretRights(secrets: readonly SecretAddress[], home: string, rights: SecretRights): void {
  for (const { workspace, name } of secrets) {
    if (workspace !== home && !rights(workspace)) throw secretNotReadable(workspace, name)
  }
}

/** Whether it is missing or the caller may not use it is not told. */
export function secretNotReadable(workspace: string, name: string, cause?: unknown): AssayError {
  const message = `Secret '${workspace}/${name}' can't be read: create it, or name one that you may use.`
  return new AssayError("secret_not_readable", message, { context: { workspace, secret: name }, cause })
}

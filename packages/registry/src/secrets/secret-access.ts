import { AssayError, type SecretAddress } from "@assay/schemas"
import { slot, type Database } from "@assay/database"
import type { SecretRights } from "./secret-rights.ts"
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

/**
 * Returns a text that changes as soon as one of the secrets gets a new value.
 * @throws `secret_not_readable` if a secret is missing
 */
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

/** The rights of the server itself: it may use the secrets of every workspace. */
export const ALL_SECRETS: SecretRights = () => true

/**
 * Checks that a caller may use the secrets that a fileset in the workspace `home` names. A caller who may use the fileset may
 * use the secrets of `home`.
 * @throws `secret_not_readable`
 */
export function checkSecretRights(secrets: readonly SecretAddress[], home: string, rights: SecretRights): void {
  for (const { workspace, name } of secrets) {
    if (workspace !== home && !rights(workspace)) throw secretNotReadable(workspace, name)
  }
}

/** Returns an error that does not reveal whether the secret is missing or the caller may not use it. */
function secretNotReadable(workspace: string, name: string, cause?: unknown): AssayError {
  const message = `Secret not found: '${workspace}/${name}'. Create it, or name one that you may use.`
  return new AssayError("secret_not_readable", message, { context: { workspace, secret: name }, cause })
}

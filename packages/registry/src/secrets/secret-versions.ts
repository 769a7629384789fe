import type { SecretAddress } from "@assay/schemas"
import type { Database } from "../database/database.ts"
import { slot } from "../database/prepared-query.ts"
import { secretNotReadable } from "./secret-errors.ts"

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

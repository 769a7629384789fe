import { AssayError, invalidRequest, type SecretAddress, type StorageConfiguration } from "@assay/schemas"
import { openStorage } from "@assay/storage"
import type { Database } from "../database/database.ts"
import type { RegistryContext } from "../registry-context.ts"
import { secretNotReadable } from "../secrets/secret-errors.ts"
import { checkLocalPath } from "./local-roots.ts"
import { secretsOfStorage } from "./secrets-of-storage.ts"

/**
 * A storage configuration that a user names, as the record keeps it: with its defaults, and its revision resolved. What
 * the user can correct comes first; that there is no adapter for a type comes last.
 * @throws `invalid_request`, `storage_not_allowed`, `secret_not_readable`, `storage_not_built`
 */
export async function checkStorage(
  storage: StorageConfiguration,
  workspace: string,
  { database, localRoots }: RegistryContext,
): Promise<StorageConfiguration> {
  if (storage.type === "objstore") checkCredentials(storage)
  for (const secret of secretsOfStorage(storage, workspace)) await checkSecret(database, secret)
  const allowed = storage.type === "local" ? await checkLocalPath(storage, localRoots) : storage
  return (await openStorage(allowed)).configuration
}

function checkCredentials(storage: StorageConfiguration & { readonly type: "objstore" }): void {
  if (storage.use_sdk_auth === true) {
    const message =
      "`use_sdk_auth` is for the server's default storage only; name `access_key_id_secret` and `secret_access_key_secret`."
    throw new AssayError("storage_not_allowed", message)
  }
  const { access_key_id_secret: id, secret_access_key_secret: key } = storage
  if ((id === undefined) === (key === undefined)) return
  const missing = id === undefined ? "access_key_id_secret" : "secret_access_key_secret"
  const msg = `\`access_key_id_secret\` and \`secret_access_key_secret\` go together: '${missing}' is missing`
  throw invalidRequest(["body", "storage"], msg, "secret_missing")
}

async function checkSecret(database: Database, { workspace, name }: SecretAddress): Promise<void> {
  const found = await database.read((queries) =>
    queries
      .selectFrom("secrets")
      .select("name")
      .where((row) => row.and({ workspace, name }))
      .executeTakeFirst(),
  )
  if (found === undefined) throw secretNotReadable(workspace, name)
}

import { AssayError, checkNoUrlUsers, invalidRequest, type StorageConfiguration } from "@assay/schemas"
import { openAt } from "../files/open-at.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { SecretRights } from "../registry.ts"
import { checkSecretRights } from "../secrets/check-secret-rights.ts"
import { endpointOf } from "./endpoint-of.ts"
import { checkFolderFree } from "./check-folder-free.ts"
import { checkLocalPath } from "./local-roots.ts"
import { openUsable } from "./open-usable.ts"
import { secretsOfStorage } from "./secrets-of-storage.ts"

export interface CheckStorageOptions {
  /** Of the fileset. */
  readonly workspace: string
  readonly rights: SecretRights
  readonly signal?: AbortSignal | undefined
}

/**
 * A storage configuration that a user names, as the record keeps it: with its defaults, and its revision resolved. What
 * the user can correct without asking anybody comes first; then the remote side is asked, and has to serve it.
 * @throws `invalid_request`, `storage_not_allowed`, `secret_not_readable`, `storage_not_usable`, `host_not_allowed`,
 * `upstream_failed`
 */
export async function checkStorage(
  storage: StorageConfiguration,
  options: CheckStorageOptions,
  context: RegistryContext,
): Promise<StorageConfiguration> {
  const { workspace, rights, signal } = options
  if (storage.type === "objstore") checkCredentials(storage)
  checkNoUrlUsers(storage, ["body", "storage"])
  const endpoint = endpointOf(storage)
  if (endpoint !== undefined) context.checkEndpoint(endpoint)
  const secrets = secretsOfStorage(storage, workspace)
  checkSecretRights(secrets, workspace, rights)
  await context.secretVersions(secrets)
  const place = { workspace, isOwn: false }
  if (storage.type !== "local") return openUsable(context, { ...place, configuration: storage }, signal)
  const configuration = await checkLocalPath(storage, workspace, context.localRoots)
  await checkFolderFree(context, { workspace, path: configuration.path })
  return (await openAt(context, { ...place, configuration })).configuration
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

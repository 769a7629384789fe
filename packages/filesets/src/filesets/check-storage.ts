import {
  AssayError,
  checkNoUrlUsers,
  invalidRequest,
  isAssayError,
  type ErrorCode,
  type StorageConfiguration,
} from "@assay/schemas"
import { probeStorage } from "@assay/storage"
import type { FilesetsContext } from "../filesets-context.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import { checkSecretRights } from "../storages/secret-rights.ts"
import { openAt, type StorageToOpen } from "../storages/open-storage.ts"
import { endpointOf, secretsOfStorage } from "../storages/storage-configuration.ts"
import { checkFolderFree, checkLocalPath } from "./local-folders.ts"

interface CheckStorageOptions {
  /** The workspace of the fileset. */
  readonly workspace: string
  readonly rights: SecretRights
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks a storage configuration that a user names. Returns it as the record keeps it, with defaults filled in and the
 * revision resolved. First come the checks that need no request. Then the remote side must serve the storage.
 * @throws `invalid_request`, `storage_not_allowed`, `secret_not_readable`, `storage_not_usable`, `host_not_allowed`,
 * `upstream_failed`
 */
export async function checkStorage(
  storage: StorageConfiguration,
  options: CheckStorageOptions,
  context: FilesetsContext,
): Promise<StorageConfiguration> {
  const { workspace, rights, signal } = options
  if (storage.type === "objstore") checkCredentials(storage)
  checkNoUrlUsers(storage, ["body", "storage"])
  const endpoint = endpointOf(storage)
  if (endpoint !== undefined) context.checkEndpoint(endpoint)
  const secrets = secretsOfStorage(storage, workspace)
  checkSecretRights(secrets, workspace, rights)
  await context.secretVersions(secrets)
  const location = { workspace, isOwn: false }
  if (storage.type !== "local") return openUsable(context, { ...location, configuration: storage }, signal)
  const configuration = await checkLocalPath(storage, workspace, context.localRoots)
  await checkFolderFree(context, { workspace, path: configuration.path })
  return (await openAt(context, { ...location, configuration })).configuration
}

function checkCredentials(storage: StorageConfiguration & { readonly type: "objstore" }): void {
  if (storage.use_sdk_auth === true) {
    const message =
      "use_sdk_auth=true is not allowed for a fileset, only for the default storage of the server; name `access_key_id_secret` and `secret_access_key_secret`."
    throw new AssayError("storage_not_allowed", message)
  }
  const { access_key_id_secret: id, secret_access_key_secret: key } = storage
  if ((id === undefined) === (key === undefined)) return
  const missing = id === undefined ? "access_key_id_secret" : "secret_access_key_secret"
  const msg = `\`access_key_id_secret\` and \`secret_access_key_secret\` go together: '${missing}' is missing`
  throw invalidRequest(["body", "storage"], msg, "secret_missing")
}

/** Codes with which a remote side refuses a configuration. The user can correct it. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  "upstream_refused",
  "upstream_gated",
  "upstream_misconfigured",
  "upstream_missing",
  "not_found",
])

/**
 * Checks that the remote side serves a location. Returns its configuration with the revision resolved.
 * @throws `storage_not_usable` with the adapter's message, and its code in `context.reason`; `upstream_timeout`; other
 * errors of the adapter
 */
async function openUsable(
  context: FilesetsContext,
  location: StorageToOpen,
  signal: AbortSignal | undefined,
): Promise<StorageConfiguration> {
  const limit = AbortSignal.timeout(context.checkStorageMs)
  const ending = signal === undefined ? limit : AbortSignal.any([signal, limit])
  try {
    const { storage, configuration } = await openAt(context, location, { signal: ending })
    await probeStorage(storage, ending)
    return configuration
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) throw tooSlow(location, context, error)
    if (!isAssayError(error) || !REFUSALS.has(error.code)) throw error
    const why = { ...error.context, reason: error.code }
    throw new AssayError("storage_not_usable", error.message, { context: why, cause: error })
  }
}

function tooSlow(
  { configuration: { type } }: StorageToOpen,
  { checkStorageMs }: FilesetsContext,
  cause: unknown,
): AssayError {
  const message = `The ${type} storage did not respond within ${checkStorageMs / 1000} s; check its address, and that the server can reach it.`
  return new AssayError("upstream_timeout", message, { context: { storage: type }, cause })
}

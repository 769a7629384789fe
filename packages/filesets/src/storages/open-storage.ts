import type { StorageConfiguration } from "@assay/schemas"
import {
  openLocalStorage,
  openStorage,
  type OpenedStorage,
  type Storage,
  type StorageContext,
  type Transport,
} from "@assay/storage"
import type { FilesetsContext } from "../filesets-context.ts"
import { endpointOf, OPERATORS_WORKSPACE, secretsOfStorage } from "./storage-configuration.ts"

/** A storage configuration, and the workspace that it is used in. */
export interface StorageToOpen {
  readonly configuration: StorageConfiguration
  /** The workspace of secrets that the configuration names without a workspace. */
  readonly workspace: string
  /** Whether this is the server's default storage. Only the default storage may use the credentials of the machine. */
  readonly isOwn: boolean
}

/**
 * Opens the storage of a location.
 * @throws `host_not_allowed` if users may not name its address, and the errors of `openStorage`
 */
export async function openAt(
  { remote, checkEndpoint }: Pick<FilesetsContext, "remote" | "checkEndpoint">,
  { configuration, workspace, isOwn }: StorageToOpen,
  options: Omit<StorageContext, "remote"> = {},
): Promise<OpenedStorage> {
  const endpoint = endpointOf(configuration)
  if (isOwn || endpoint === undefined)
    return openStorage(configuration, { ...options, remote: { ...remote, workspace, allowAmbient: isOwn } })
  checkEndpoint(endpoint)
  const transport = markNamed(remote.transport, endpoint)
  return openStorage(configuration, { ...options, remote: { ...remote, transport, workspace, allowAmbient: false } })
}

/** Marks the requests to the origin that a user named, as opposed to origins that the backend redirects to. */
function markNamed(transport: Transport, endpoint: string): Transport {
  const named = URL.parse(endpoint)?.origin
  return (request, signal) =>
    transport(URL.parse(request.origin)?.origin === named ? { ...request, isNamed: true } : request, signal)
}

/**
 * Returns a function that opens the root of the server's default storage. It stays open until one of its secrets changes.
 * @throws `secret_not_readable`, and the errors of the adapter
 */
export function createOpenDefaultStorage(
  context: Pick<
    FilesetsContext,
    "contentChecks" | "defaultStorage" | "newId" | "secretVersions" | "remote" | "checkEndpoint"
  >,
): () => Promise<Storage> {
  const { defaultStorage: configuration, secretVersions } = context
  if (configuration.type === "local") {
    // Names that no other server and no other storage of this one gives to its temporary files.
    const prefix = context.newId("write")
    let writes = 0
    const newId = () => `${prefix}-${(writes += 1)}`
    const storage = openLocalStorage(configuration, { checks: context.contentChecks, newId })
    return async () => storage
  }
  const secrets = secretsOfStorage(configuration, OPERATORS_WORKSPACE)
  let opened: { readonly versions: string; readonly storage: Promise<Storage> } | undefined

  async function open(): Promise<Storage> {
    return (await openAt(context, { configuration, workspace: OPERATORS_WORKSPACE, isOwn: true })).storage
  }

  return async () => {
    const versions = secrets.length === 0 ? "" : await secretVersions(secrets)
    if (opened?.versions !== versions) {
      const storage = open()
      opened = { versions, storage }
      // Do not keep a failure: the next attempt can succeed.
      storage.catch(() => {
        if (opened?.storage === storage) opened = undefined
      })
    }
    return opened.storage
  }
}

import type { StorageConfiguration } from "@assay/schemas"
import { openStorage, type OpenedStorage, type StorageContext, type Transport } from "@assay/storage"
import { endpointOf } from "./storage-configuration.ts"
import type { RegistryContext } from "../registry-context.ts"

/** A storage configuration, and the workspace that it is used in. */
export interface Place {
  readonly configuration: StorageConfiguration
  /** The workspace of secrets that the configuration names without a workspace. */
  readonly workspace: string
  /** Whether this is the server's default storage. Only the default storage may use the credentials of the machine. */
  readonly isOwn: boolean
}

/**
 * Opens the storage of a place.
 * @throws `host_not_allowed` if users may not name its address, and the errors of `openStorage`
 */
export async function openAt(
  { remote, checkEndpoint }: Pick<RegistryContext, "remote" | "checkEndpoint">,
  { configuration, workspace, isOwn }: Place,
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

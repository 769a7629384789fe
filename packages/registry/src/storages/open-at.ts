import type { StorageConfiguration } from "@assay/schemas"
import { openStorage, type OpenedStorage, type StorageContext, type Transport } from "@assay/storage"
import { endpointOf } from "./storage-configuration.ts"
import type { RegistryContext } from "../registry-context.ts"

export interface Place {
  readonly configuration: StorageConfiguration
  /** Where secrets are found that it names without a workspace. */
  readonly workspace: string
  /** Whether the place is of the server's default storage: that alone may use what the machine itself is allowed. */
  readonly isOwn: boolean
}

/**
 * Opens the storage of a place for the registry.
 * @throws `host_not_allowed` for an address that users may not name (any more), and what `openStorage` throws
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

/** Tells the transport which requests go to the origin that a user named, and not to one to which the backend leads. */
function markNamed(transport: Transport, endpoint: string): Transport {
  const named = URL.parse(endpoint)?.origin
  return (request, signal) =>
    transport(URL.parse(request.origin)?.origin === named ? { ...request, isNamed: true } : request, signal)
}

import type { StorageConfiguration } from "@assay/schemas"

/** The address that a storage configuration names; undefined for what is local or where its type says. */
export function endpointOf(storage: StorageConfiguration): string | undefined {
  if (storage.type === "catalog") return storage.host
  if (storage.type === "hub") return storage.endpoint
  return storage.type === "objstore" ? storage.endpoint_url : undefined
}

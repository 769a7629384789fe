import { PUBLIC_CATALOG_HOST, PUBLIC_HUB_ENDPOINT, type StorageConfiguration } from "@assay/schemas"

/** The place that a configuration names, in words: the repository, asset or bucket, and where it is asked. */
export function placeOf(config: StorageConfiguration): string {
  switch (config.type) {
    case "local":
      return `folder '${config.path}'`
    case "hub":
      return `${config.repo_type ?? "model"} '${config.repo_id}' at ${originOf(config.endpoint ?? PUBLIC_HUB_ENDPOINT)}`
    case "catalog": {
      const { org, team, target, target_type: kind = "resource" } = config
      const names = [org, ...(team === "" ? [] : [team]), target].join("/")
      return `${kind} '${names}' at ${originOf(config.host ?? PUBLIC_CATALOG_HOST)}`
    }
    case "objstore":
    default: {
      const { bucket, endpoint_url: endpoint } = config
      return `bucket '${bucket}'${endpoint === undefined ? "" : ` at ${originOf(endpoint)}`}`
    }
  }
}

/** Without user, path and query. */
function originOf(address: string): string {
  return URL.parse(address)?.origin ?? "an address that can't be read"
}

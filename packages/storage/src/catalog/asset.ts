import { maskUrlUser, PUBLIC_CATALOG_HOST, type CatalogStorageConfiguration } from "@assay/schemas"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { quotePath } from "../file-path.ts"

/** The asset and its catalog, in the form that requests and messages need. */
export interface CatalogAsset {
  /** Scheme, host and port of the API. */
  readonly origin: string
  /** The part of paths before `/v2`. Empty for the public catalog. */
  readonly base: string
  readonly isPublic: boolean
  readonly org: string
  readonly team?: string
  readonly name: string
  readonly kind: "model" | "resource"
}

/** A team name that means no team. */
const NO_TEAM = "no-team"
/** Characters that separate or end names in addresses. */
const SEPARATOR = /[\s/\\:?#%]|\p{C}/u

/**
 * Returns the asset that a configuration names.
 * @throws `upstream_misconfigured` for an invalid address or name
 */
export function catalogAsset(config: CatalogStorageConfiguration): CatalogAsset {
  const { org, team, target, target_type: kind = "resource", version = "", host = PUBLIC_CATALOG_HOST } = config
  checkNames({ org, team, target, version })
  const url = URL.parse(host)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    throw misconfigured(
      `host ${quotePath(maskUrlUser(host))} is not an address; write it like '${PUBLIC_CATALOG_HOST}'.`,
    )
  }
  return {
    origin: url.origin,
    base: url.pathname.replace(/\/+$/, ""),
    isPublic: url.origin === PUBLIC_CATALOG_HOST,
    org,
    ...(team === "" || team === NO_TEAM ? {} : { team }),
    name: target,
    kind,
  }
}

function checkNames(names: Readonly<Record<string, string>>): void {
  for (const [field, name] of Object.entries(names)) {
    if (!SEPARATOR.test(name) && name !== "." && name !== "..") continue
    throw misconfigured(
      `${field} ${quotePath(name)} is not a name; org, team, target and version each stand in their own field.`,
    )
  }
}

function misconfigured(what: string): Error {
  return remoteError(
    "upstream_misconfigured",
    { storage: "catalog", location: "its configuration", operation: "open" },
    what,
  )
}

/** Returns the path of the asset in the API. */
export function assetPath({ base, org, team, name, kind }: CatalogAsset): string {
  const names = ["org", org, ...(team === undefined ? [] : ["team", team]), `${kind}s`, name]
  return `${base}/v2/${names.map(encodeURIComponent).join("/")}`
}

export function versionPath(asset: CatalogAsset, version: string): string {
  return `${assetPath(asset)}/versions/${encodeURIComponent(version)}`
}

/** Returns the web page on which users accept its licence. */
export function assetPage({ isPublic, org, team, name, kind }: CatalogAsset): string {
  if (!isPublic) return "its page in the catalog"
  const names = ["orgs", org, ...(team === undefined ? [] : ["teams", team]), `${kind}s`, name]
  return `https://catalog.ngc.nvidia.com/${names.map(encodeURIComponent).join("/")}`
}

/** Describes the operation on the asset, for messages. */
export function catalogTarget(
  { origin, org, team, name, kind }: CatalogAsset,
  operation: RemoteTarget["operation"],
  { version, path }: { readonly version?: string | undefined; readonly path?: string | undefined } = {},
): RemoteTarget {
  const names = [org, ...(team === undefined ? [] : [team]), name].join("/")
  const location = `${kind} '${names}${version === undefined ? "" : `:${version}`}' at ${origin}`
  return { storage: "catalog", location, operation, path }
}

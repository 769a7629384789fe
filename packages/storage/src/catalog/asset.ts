import { maskUrlUser, PUBLIC_CATALOG_HOST, type CatalogStorageConfiguration } from "@assay/schemas"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { quotePath } from "../quote-path.ts"

/** Which asset of which catalog, as requests and messages need it. */
export interface CatalogAsset {
  /** Scheme, host and port of the API. */
  readonly origin: string
  /** What precedes `/v2` in paths; empty at the public catalog. */
  readonly base: string
  readonly isPublic: boolean
  readonly org: string
  readonly team?: string
  readonly name: string
  readonly kind: "model" | "resource"
}

/** The team that stands for none. */
const NO_TEAM = "no-team"
/** What separates names in addresses, or ends them. */
const SEPARATOR = /[\s/\\:?#%]|\p{C}/u

/** The asset that a configuration names. @throws `upstream_misconfigured` for an address or a name that is none */
export function catalogAsset(config: CatalogStorageConfiguration): CatalogAsset {
  const { org, team, target, target_type: kind = "resource", version = "", host = PUBLIC_CATALOG_HOST } = config
  checkNames({ org, team, target, version })
  const url = URL.parse(host)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    throw misconfigured(`host ${quotePath(maskUrlUser(host))} is no address; write it like '${PUBLIC_CATALOG_HOST}'.`)
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
      `${field} ${quotePath(name)} is no name; org, team, target and version each stand in their own field.`,
    )
  }
}

function misconfigured(what: string): Error {
  return remoteError(
    "upstream_misconfigured",
    { storage: "catalog", place: "its configuration", operation: "open" },
    what,
  )
}

/** Path of the asset in the API. */
export function assetPath({ base, org, team, name, kind }: CatalogAsset): string {
  const names = ["org", org, ...(team === undefined ? [] : ["team", team]), `${kind}s`, name]
  return `${base}/v2/${names.map(encodeURIComponent).join("/")}`
}

export function versionPath(asset: CatalogAsset, version: string): string {
  return `${assetPath(asset)}/versions/${encodeURIComponent(version)}`
}

/** The web page on which its licence is accepted. */
export function assetPage({ isPublic, org, team, name, kind }: CatalogAsset): string {
  if (!isPublic) return "its page in the catalog"
  const names = ["orgs", org, ...(team === undefined ? [] : ["teams", team]), `${kind}s`, name]
  return `https://catalog.ngc.nvidia.com/${names.map(encodeURIComponent).join("/")}`
}

/** What is being done to the asset, for messages. */
export function catalogTarget(
  { origin, org, team, name, kind }: CatalogAsset,
  operation: RemoteTarget["operation"],
  { version, path }: { readonly version?: string | undefined; readonly path?: string } = {},
): RemoteTarget {
  const names = [org, ...(team === undefined ? [] : [team]), name].join("/")
  const place = `${kind} '${names}${version === undefined ? "" : `:${version}`}' at ${origin}`
  return { storage: "catalog", place, operation, ...(path === undefined ? {} : { path }) }
}

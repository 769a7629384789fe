import type { IncomingHttpHeaders } from "node:http"
import type { FakeCatalogAsset, FakeCatalogVersion } from "./fake-catalog-options.ts"

/** A request to one of the catalog's servers. */
export interface CatalogRequest {
  /** The token service, the API, or the host of signed addresses. */
  readonly host: "token" | "api" | "files"
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Path, exactly as sent. */
  readonly path: string
  /** Decoded. */
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

export function catalogRequest(
  host: CatalogRequest["host"],
  { method, url, headers }: { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders },
): CatalogRequest {
  const [path = "", query = ""] = url.split("?")
  return { host, method, url, path, query: new URLSearchParams(query), headers }
}

/** The parsed address of an API request. */
export interface CatalogRoute {
  readonly org: string
  readonly team?: string
  readonly asset?: FakeCatalogAsset
  /** Whether the address is the short one, which needs no key. */
  readonly guest: boolean
  /** The decoded path after the asset's name; its first segment is empty. */
  readonly rest: readonly string[]
}

/** Parses the long address with organization and team. Returns undefined if the address is not that of an asset. */
export function findRoute(path: string, assets: readonly FakeCatalogAsset[]): CatalogRoute | undefined {
  const long = /^\/v2\/org\/([^/]+)(?:\/team\/([^/]+))?\/(model|resource)s\//.exec(path)
  const guest = long === null
  const asset = assets.find((one) => isBelow(path, assetPath(one, guest)))
  if (guest && asset === undefined) return undefined
  const [, org = asset?.org ?? "", team = asset?.team] = long ?? []
  const rest = asset === undefined ? "" : path.slice(assetPath(asset, guest).length)
  return {
    org: decodeURIComponent(org),
    ...(team !== undefined && { team: decodeURIComponent(team) }),
    ...(asset !== undefined && { asset }),
    guest,
    rest: rest.split("/").map(decodeURIComponent),
  }
}

/** Returns the path of a file on the file host. */
export function storedPath(asset: FakeCatalogAsset, version: FakeCatalogVersion, path: string): string {
  const file = path.split("/").map(encodeURIComponent).join("/")
  return `${assetPath(asset, false).slice("/v2".length)}/versions/${encodeURIComponent(version.id)}/files/${file}`
}

function assetPath({ org, team, name, kind }: FakeCatalogAsset, guest: boolean): string {
  const names = guest
    ? ["v2", `${kind}s`, org, ...(team === undefined ? [] : [team]), name]
    : ["v2", "org", org, ...(team === undefined ? [] : ["team", team]), `${kind}s`, name]
  return names.map((one) => `/${encodeURIComponent(one)}`).join("")
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}

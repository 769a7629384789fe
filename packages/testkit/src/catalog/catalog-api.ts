import { type CatalogAccess, mayRead } from "./catalog-access.ts"
import { type CatalogAnswer, fileAnswer, refusal, success } from "./catalog-answer.ts"
import { type CatalogRequest, type CatalogRoute, findRoute, storedPath } from "./catalog-routes.ts"
import type { CatalogSettings, FakeCatalogAsset, FakeCatalogVersion } from "./fake-catalog-options.ts"
import type { SignedAddresses } from "./catalog-file-host.ts"

export interface CatalogApi {
  readonly settings: CatalogSettings
  readonly access: CatalogAccess
  readonly addresses: SignedAddresses
  /** The address of the file host. */
  readonly filesUrl: () => string
}

const COMPLETE = "UPLOAD_COMPLETE"

/** Answers one request to the API with what a key or a guest may see. */
export function answerApi(api: CatalogApi, request: CatalogRequest): CatalogAnswer {
  const route = findRoute(request.path, api.settings.assets)
  if (route === undefined || request.method !== "GET") return refusal(404, "No such address.")
  return refuseCaller(api, request, route) ?? answerAsset(api, request, route)
}

function refuseCaller({ access }: CatalogApi, request: CatalogRequest, route: CatalogRoute): CatalogAnswer | undefined {
  if (route.guest && route.asset?.guest === true) return undefined
  const caller = access.caller(request)
  if ("status" in caller) return caller
  return mayRead(caller, route.org, route.team) ? undefined : refusal(403, "Access to the org or team is denied.")
}

function answerAsset(api: CatalogApi, request: CatalogRequest, { asset, rest }: CatalogRoute): CatalogAnswer {
  if (asset === undefined) return refusal(404, "The asset is not found.")
  const [, first = "", second = "", third, ...path] = rest
  if (rest.length === 1) return success({ [body(asset)]: describeAsset(asset) })
  if (first === "versions" && rest.length === 2) {
    const { entries, paginationInfo } = catalogPage(asset.versions.toReversed(), request, api.settings)
    return success({ [`${body(asset)}Versions`]: entries.map(describeVersion), paginationInfo })
  }
  const isAddresses = first !== "versions" && second === "files" && third === undefined
  const version = asset.versions.find(({ id }) => id === (isAddresses ? first : second))
  if (version === undefined) return refusal(404, "The version is not found.")
  if (isAddresses) return answerAddresses(api, request, asset, version)
  if (third === undefined) return success({ [`${body(asset)}Version`]: describeVersion(version) })
  if (third !== "files") return refusal(404, "No such address.")
  return path.length === 0 ? answerFiles(api, request, asset, version) : answerFile(api, asset, version, path.join("/"))
}

/** Returns the kind in the words of the API, which calls a resource a recipe. */
function body({ kind }: FakeCatalogAsset): string {
  return kind === "resource" ? "recipe" : kind
}

function describeAsset({ name, org, team, versions, guest = false }: FakeCatalogAsset): object {
  const latest = versions.at(-1)
  return {
    name,
    orgName: org,
    ...(team !== undefined && { teamName: team }),
    canGuestDownload: guest,
    ...(latest !== undefined && { latestVersionIdStr: latest.id, latestVersionSizeInBytes: sizeOf(latest) }),
  }
}

function describeVersion(version: FakeCatalogVersion): object {
  const { id, status = COMPLETE, files } = version
  return {
    versionId: id,
    status,
    totalFileCount: Object.keys(files).length,
    totalSizeInBytes: sizeOf(version),
    createdDate: "2026-01-02T03:04:05.000Z",
    storageVersion: "V2",
  }
}

function sizeOf({ files }: FakeCatalogVersion): number {
  return Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function answerFiles(
  { settings }: CatalogApi,
  request: CatalogRequest,
  asset: FakeCatalogAsset,
  { files }: FakeCatalogVersion,
): CatalogAnswer {
  if (asset.orgContextMissing !== undefined) return refusal(asset.orgContextMissing, "Org contex missing")
  // The catalog has its own order.
  const { entries, paginationInfo } = catalogPage(Object.entries(files).toReversed(), request, settings)
  const described = entries.map(([path, { byteLength }]) => ({ path, sizeInBytes: byteLength }))
  return success({ [`${body(asset)}Files`]: described, paginationInfo })
}

function answerAddresses(
  api: CatalogApi,
  request: CatalogRequest,
  asset: FakeCatalogAsset,
  version: FakeCatalogVersion,
): CatalogAnswer {
  if (asset.orgContextMissing !== undefined) return refusal(asset.orgContextMissing, "Org contex missing")
  if (asset.needsLicence === true) return needsLicence()
  const only = request.query.get("path")
  const paths = Object.keys(version.files).filter((path) => only === null || path === only)
  const { entries, paginationInfo } = catalogPage(paths, request, api.settings)
  return success({ urls: entries.map((path) => signed(api, asset, version, path)), filepath: entries, paginationInfo })
}

function answerFile(
  api: CatalogApi,
  asset: FakeCatalogAsset,
  version: FakeCatalogVersion,
  path: string,
): CatalogAnswer {
  if (asset.needsLicence === true) return needsLicence()
  const bytes = version.files[path]
  const isThere = bytes !== undefined || asset.signsAnything === true
  if (asset.singleFile === "missing" || !isThere) return refusal(404, "The file is not found.")
  if (asset.singleFile === "direct" && bytes !== undefined) return fileAnswer(path, bytes)
  return { status: 302, headers: { location: signed(api, asset, version, path) }, body: new Uint8Array() }
}

function signed(
  { addresses, filesUrl }: CatalogApi,
  asset: FakeCatalogAsset,
  version: FakeCatalogVersion,
  path: string,
): string {
  return filesUrl() + addresses.sign(storedPath(asset, version, path))
}

function needsLicence(): CatalogAnswer {
  return refusal(412, "The license agreement must be accepted.")
}

/** Returns the entries of the requested page, and the pagination of the answer. */
function catalogPage<T>(
  entries: readonly T[],
  { query }: CatalogRequest,
  { pageSize, firstPage }: CatalogSettings,
): { readonly entries: readonly T[]; readonly paginationInfo: object } {
  const size = Math.min(Number(query.get("page-size") ?? 100), pageSize)
  const index = Number(query.get("page-number") ?? firstPage)
  const start = (index - firstPage) * size
  const totalPages = Math.max(1, Math.ceil(entries.length / size))
  return {
    entries: entries.slice(start, start + size),
    paginationInfo: { index, size, totalPages, totalResults: entries.length },
  }
}

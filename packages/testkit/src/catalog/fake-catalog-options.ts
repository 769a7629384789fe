/** One version of an asset. */
export interface FakeCatalogVersion {
  readonly id: string
  /** By path. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** Default `UPLOAD_COMPLETE`. */
  readonly status?: string
}

/** An asset of the catalog, and its access rights. */
export interface FakeCatalogAsset {
  readonly org: string
  /** Default: none. */
  readonly team?: string
  readonly name: string
  readonly kind: "model" | "resource"
  /** Oldest first; the last one is the latest. */
  readonly versions: readonly FakeCatalogVersion[]
  /** Whether its downloads are refused with 412 until a licence is accepted on its web page. Default false. */
  readonly needsLicence?: boolean
  /** Whether everybody may read it without a key at the short addresses. Default false. */
  readonly guest?: boolean
  /** Status with which lists of files fail with "Org contex missing", as for some public organizations. Default: they succeed. */
  readonly orgContextMissing?: 400 | 401
  /** The response of the address of one file: a redirect to a signed address, the bytes, or 404. Default `redirect`. */
  readonly singleFile?: "redirect" | "direct" | "missing"
  /** Whether addresses of missing files are signed too; the file host then returns 403. Default false. */
  readonly signsAnything?: boolean
}

/** A key of a user. A key that begins with `nvapi-` is a bearer token. Any other key is exchanged for one. */
export interface FakeCatalogKey {
  readonly value: string
  /** Organizations, or `org/team`, that it may read. Default: all. */
  readonly orgs?: readonly string[]
}

export interface FakeCatalogOptions {
  readonly assets: readonly FakeCatalogAsset[]
  /** Default: `nvapi-fake-key` and `fakefakefakefakefakefakefakefake`. */
  readonly keys?: readonly FakeCatalogKey[]
  /** Lifetime of a token in seconds. Default 900. */
  readonly tokenSeconds?: number
  /** Lifetime of a signed address in seconds. Default 3600. */
  readonly addressSeconds?: number
  /** Maximum number of entries of a page. Default 1000. */
  readonly pageSize?: number
  /** The number of the first page. Default 0. */
  readonly firstPage?: 0 | 1
  /** Milliseconds since 1970, UTC: the clock for the expiry of tokens and addresses. Default: the real clock. */
  readonly now?: () => number
}

/** The options with all defaults. */
export type CatalogSettings = Required<FakeCatalogOptions>

export function catalogSettings(options: FakeCatalogOptions): CatalogSettings {
  return {
    keys: [{ value: "nvapi-fake-key" }, { value: "fakefakefakefakefakefakefakefake" }],
    tokenSeconds: 900,
    addressSeconds: 3600,
    pageSize: 1000,
    firstPage: 0,
    now: Date.now,
    ...options,
  }
}

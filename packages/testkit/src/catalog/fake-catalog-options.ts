/** One version of an asset. */
export interface FakeCatalogVersion {
  readonly id: string
  /** By path. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** Default `UPLOAD_COMPLETE`. */
  readonly status?: string
}

/** An asset of the catalog, and how it is guarded. */
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
  /** Whether everybody may read it without a key, at the short addresses. Default false. */
  readonly guest?: boolean
  /** Status with which its lists of files answer "Org contex missing", as some public organizations do. Default: they don't. */
  readonly orgContextMissing?: 400 | 401
  /** What the address of one file answers: a redirect to a signed address, the bytes, or 404. Default `redirect`. */
  readonly singleFile?: "redirect" | "direct" | "missing"
  /** Whether addresses are signed for files that are not there, which the file host then answers with 403. Default false. */
  readonly signsAnything?: boolean
}

/** A key of a user. One that begins with `nvapi-` is a bearer token by itself, any other is exchanged for one. */
export interface FakeCatalogKey {
  readonly value: string
  /** Organizations, or `org/team`, that it may read. Default: all. */
  readonly orgs?: readonly string[]
}

export interface FakeCatalogOptions {
  readonly assets: readonly FakeCatalogAsset[]
  /** Default: `nvapi-fake-key` and `fakefakefakefakefakefakefakefake`. */
  readonly keys?: readonly FakeCatalogKey[]
  /** Seconds that a token holds. Default 900. */
  readonly tokenSeconds?: number
  /** Seconds that a signed address holds. Default 3600. */
  readonly addressSeconds?: number
  /** Entries of a page at the most, whatever is asked for. Default 1000. */
  readonly pageSize?: number
  /** The number of the first page. Default 0. */
  readonly firstPage?: 0 | 1
  /** Milliseconds since 1970, UTC: what tokens and addresses expire by. Default: the clock. */
  readonly now?: () => number
}

/** The options, with every default filled in. */
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

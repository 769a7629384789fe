export type RepositoryType = "model" | "dataset" | "space"

export interface FakeFile {
  readonly bytes: Uint8Array
  /** Stored outside git and served by another host, as large files are. Default false. */
  readonly lfs?: boolean
}

/** Files of a commit by path; null deletes a file. */
export type FakeFiles = Readonly<Record<string, Uint8Array | FakeFile | null>>

export interface FakeRepository {
  /** `name` or `owner/name`. */
  readonly id: string
  /** Default `model`. */
  readonly type?: RepositoryType
  /** Whether it looks missing to callers whose token does not name it. Default false. */
  readonly private?: boolean
  /** Whether its bytes (but not its listings) need a token that names it. Default false. */
  readonly gated?: false | "auto" | "manual"
  /** Whether the hub's staff has closed it. Default false. */
  readonly disabled?: boolean
  /** Its former names, from which the hub redirects. */
  readonly formerIds?: readonly string[]
  /** The files of its first commit on `main`. Without them the repository has no commit. */
  readonly files?: FakeFiles
}

export interface FakeHubOptions {
  readonly repositories?: readonly FakeRepository[]
  /** Tokens, each with the ids of private and gated repositories that it opens. */
  readonly tokens?: Readonly<Record<string, readonly string[]>>
  /** Prefix of the paths of all addresses, such as `/hf`. Default empty. */
  readonly pathPrefix?: string
  /** Entries of one page of a listing. Default 1000. */
  readonly pageSize?: number
  /** Lifetime of an address of the other host in seconds. Default 3600. */
  readonly addressSeconds?: number
  /** Whether `resolve` redirects to another address of the hub for files in git. Default false. */
  readonly resolveCache?: boolean
  /** Whether the addresses of further pages have no host, as from some gateways. Default false. */
  readonly relativeLinks?: boolean
}

export type RepositoryType = "model" | "dataset" | "space"

export interface FakeFile {
  readonly bytes: Uint8Array
  /** Kept beside git and handed out by another host, as large files are. Default false. */
  readonly lfs?: boolean
}

/** Files of a commit by path; null takes one away. */
export type FakeFiles = Readonly<Record<string, Uint8Array | FakeFile | null>>

export interface FakeRepository {
  /** `name` or `owner/name`. */
  readonly id: string
  /** Default `model`. */
  readonly type?: RepositoryType
  /** Whether it looks missing to all whose token does not name it. Default false. */
  readonly private?: boolean
  /** Whether its bytes, but not its listings, are only for tokens that name it. Default false. */
  readonly gated?: false | "auto" | "manual"
  /** Whether the hub's staff has closed it. Default false. */
  readonly disabled?: boolean
  /** Names that it had before: the hub redirects from them. */
  readonly formerIds?: readonly string[]
  /** What its first commit holds, on `main`. Without it the repository has no commit. */
  readonly files?: FakeFiles
}

export interface FakeHubOptions {
  readonly repositories?: readonly FakeRepository[]
  /** Tokens, each with the ids of private and gated repositories that it opens. */
  readonly tokens?: Readonly<Record<string, readonly string[]>>
  /** What the paths of all addresses begin with, such as `/hf`. Default empty. */
  readonly pathPrefix?: string
  /** Entries of one page of a listing. Default 1000. */
  readonly pageSize?: number
  /** Seconds for which an address of the other host is good. Default 3600. */
  readonly addressSeconds?: number
  /** Whether `resolve` sends to another address of the hub for files that lie in git. Default false. */
  readonly resolveCache?: boolean
  /** Whether the addresses of further pages leave out the host, as some gateways make them. Default false. */
  readonly relativeLinks?: boolean
}

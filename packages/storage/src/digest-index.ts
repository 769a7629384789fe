/** An index of digests, which a local file system can't store with a file. One index serves one root. */
export interface DigestIndex {
  /** Returns the SHA-256 of the file version, or undefined if it is unknown. */
  get(file: FileVersion): Promise<string | undefined>
  /** Returns the digests of many files, in the same order. */
  getMany(files: readonly FileVersion[]): Promise<readonly (string | undefined)[]>
  /** Stores a digest. It resolves when `get` finds it, even after a crash of the process. */
  put(file: FileVersion, sha256: string): Promise<void>
  /** Removes the versions of a path except `keep`. */
  forget(path: string, keep?: FileVersion): Promise<void>
  /** Like `forget`, but never fails: the version `gone`, which files no longer have, is then removed with a later call. */
  forgetLater(path: string, versions: StaleVersions): Promise<void>
  /** Waits until a power failure can't undo earlier calls. */
  settle(): Promise<void>
}

export interface StaleVersions {
  readonly keep: FileVersion | undefined
  readonly gone: FileVersion
}

/** One version of a file. A replaced file has a different modification time, so an old digest never matches it. */
export interface FileVersion {
  /** The path relative to the root, with links resolved. Each file has exactly one. */
  readonly path: string
  readonly size: number
  readonly mtimeNs: bigint
}

/** Creates a digest index in memory, for commands that work on a folder without a server. */
export function createMemoryDigestIndex(): DigestIndex {
  const versionsByPath = new Map<string, Map<string, string>>()
  const lookUp = (file: FileVersion) => versionsByPath.get(file.path)?.get(versionKey(file))
  async function forget(path: string, keep?: FileVersion): Promise<void> {
    const kept = keep === undefined ? undefined : lookUp(keep)
    if (keep === undefined || kept === undefined) versionsByPath.delete(path)
    else versionsByPath.set(path, new Map([[versionKey(keep), kept]]))
  }
  return {
    get: async (file) => lookUp(file),
    getMany: async (files) => files.map(lookUp),
    async put(file, sha256) {
      const versions = versionsByPath.get(file.path) ?? new Map<string, string>()
      versionsByPath.set(file.path, versions.set(versionKey(file), sha256))
    },
    forget,
    forgetLater: (path, { keep }) => forget(path, keep),
    settle: async () => {},
  }
}

function versionKey({ size, mtimeNs }: FileVersion): string {
  return `${size}-${mtimeNs}`
}

/** What a local file system can't keep beside a file: the digest of the bytes that were written. One index serves one root. */
export interface DigestIndex {
  /** SHA-256 of the file that has this size and modification time, or undefined where it is not known. */
  get(file: FileVersion): Promise<string | undefined>
  /** The same for many files, in the order given. */
  getMany(files: readonly FileVersion[]): Promise<readonly (string | undefined)[]>
  /** Keeps a digest; answers when `get` finds it, also after a crash of the process. */
  put(file: FileVersion, sha256: string): Promise<void>
  /** Forgets the versions of a path other than `keep`; all of them without it. */
  forget(path: string, keep?: FileVersion): Promise<void>
}

/** One version of a file: a replaced file has another modification time, so an old digest never matches it. */
export interface FileVersion {
  /** Where the file really lies, relative to the root: links are resolved, so a file has one path here. */
  readonly path: string
  readonly size: number
  readonly mtimeNs: bigint
}

/** A digest index that lasts as long as the process: for commands that work on a folder without a server. */
export function createMemoryDigestIndex(): DigestIndex {
  const versionsByPath = new Map<string, Map<string, string>>()
  const lookUp = (file: FileVersion) => versionsByPath.get(file.path)?.get(versionKey(file))
  return {
    get: async (file) => lookUp(file),
    getMany: async (files) => files.map(lookUp),
    async put(file, sha256) {
      const versions = versionsByPath.get(file.path) ?? new Map<string, string>()
      versionsByPath.set(file.path, versions.set(versionKey(file), sha256))
    },
    async forget(path, keep) {
      const kept = keep === undefined ? undefined : lookUp(keep)
      if (keep === undefined || kept === undefined) versionsByPath.delete(path)
      else versionsByPath.set(path, new Map([[versionKey(keep), kept]]))
    },
  }
}

function versionKey({ size, mtimeNs }: FileVersion): string {
  return `${size}-${mtimeNs}`
}

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

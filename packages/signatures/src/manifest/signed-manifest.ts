import type { FilePath } from "@assay/storage"

/** How digests of files are computed, by the name that statements have for it. `blake2` is BLAKE2b with 64 bytes. */
export type DigestAlgorithm = "sha256" | "blake2"

/** A digest of a file, or of a part of it. */
export interface SignedDigest {
  /** First byte and the byte behind the last one. Undefined: the whole file. */
  readonly part: { readonly start: number; readonly end: number } | undefined
  readonly algorithm: DigestAlgorithm
  /** Lower-case hex. */
  readonly digest: string
}

export interface SignedFile {
  readonly path: FilePath
  /** At least one, in the order of their parts. */
  readonly digests: readonly SignedDigest[]
}

/** The files of a model, as its signer lists them. */
export interface SignedManifest {
  /** Name that the signer gave to the model. Empty in statements before 1.0. */
  readonly name: string
  /** In the order of the statement. */
  readonly files: readonly SignedFile[]
  /** Files and folders that the signer left out, relative to the model. */
  readonly ignored: readonly string[]
}

/** Paths of git, which no signer includes. */
const GIT_PATHS = [".git", ".gitattributes", ".github", ".gitignore"]

/** Returns whether a signer left out a path: it is what git needs, or is or lies below one that the statement names. */
export function isIgnored(ignored: readonly string[], path: string): boolean {
  return [...GIT_PATHS, ...ignored].some((one) => {
    const folder = one.replace(/^\.\//, "").replace(/\/+$/, "")
    return folder !== "" && (path === folder || path.startsWith(`${folder}/`))
  })
}

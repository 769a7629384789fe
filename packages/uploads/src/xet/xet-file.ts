/** A file that was sent as terms. */
export interface XetFile {
  readonly sha256: string
  /** The hash of Xet. */
  readonly hash: string
  readonly size: number
  /** The terms, which the hub packs. */
  readonly terms: Uint8Array
}

export interface NewXetFile extends XetFile {
  /** The xorbs of its terms, each once. */
  readonly xorbs: readonly string[]
  /** The first chunk, which clients ask for. Undefined: the file is empty. */
  readonly asked: { readonly chunk: string; readonly xorb: string } | undefined
}

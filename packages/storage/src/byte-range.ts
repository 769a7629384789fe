/** A part of a file as a `Range` header names it: `a-b`, `a-` or the last `n` bytes. */
export type ByteRange =
  | { readonly kind: "from"; readonly start: number; readonly end?: number }
  | { readonly kind: "suffix"; readonly length: number }
  /** Can't be read. Refused by the storage, once the size of the file is known, since the answer has to name it. */
  | { readonly kind: "malformed"; readonly header: string }

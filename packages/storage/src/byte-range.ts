/** A part of a file as a `Range` header names it: `a-b`, `a-` or the last `n` bytes. */
export type ByteRange =
  | { readonly kind: "from"; readonly start: number; readonly end?: number }
  | { readonly kind: "suffix"; readonly length: number }

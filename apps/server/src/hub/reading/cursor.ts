import { AssayError } from "@assay/schemas"

/** Where the next page of a listing begins, as clients hand it back. */
export function formatCursor(start: number): string {
  return Buffer.from(String(start)).toString("base64url")
}

/** @throws `bad_page_token` */
export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const start = Buffer.from(cursor, "base64url").toString()
  if (/^\d{1,9}$/.test(start)) return Number(start)
  throw new AssayError("bad_page_token", `The cursor '${cursor}' was not issued here; take it from the Link header.`)
}

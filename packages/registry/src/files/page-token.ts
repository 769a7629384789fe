import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"

/** The listing that a page token belongs to. */
export interface Listing {
  readonly filesetId: string
  readonly path: string
}

/** A token for the files of a listing that come after the file `last`. */
export function formatPageToken(listing: Listing, last: string): string {
  return Buffer.from(JSON.stringify([last, checksum(listing, last)])).toString("base64url")
}

/** The file after which a page begins. @throws `bad_page_token` for a token of another listing, and a changed one */
export function parsePageToken(listing: Listing, token: string): string {
  const parts = readParts(token)
  if (parts !== undefined && parts[1] === checksum(listing, parts[0])) return parts[0]
  const message =
    "The page token was not issued for this listing; take `next_page_token` of the answer before, unchanged."
  throw new AssayError("bad_page_token", message)
}

/** Not against forgery, which would gain nothing, but against tokens that were cut or mixed up. */
function checksum({ filesetId, path }: Listing, last: string): string {
  return createHash("sha256")
    .update(JSON.stringify([filesetId, path, last]))
    .digest("base64url")
    .slice(0, 12)
}

function readParts(token: string): [string, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, "base64url").toString())
    if (!Array.isArray(parts) || parts.length !== 2) return undefined
    const [last, sum]: unknown[] = parts
    return typeof last === "string" && typeof sum === "string" ? [last, sum] : undefined
  } catch {
    return undefined
  }
}

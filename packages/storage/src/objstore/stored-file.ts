import type { HttpHeaders } from "@assay/http"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"

/** Where the digest of what was written is kept with it. */
export const DIGEST_HEADER = "x-amz-meta-sha256"

/** What the headers of an object tell of a file. */
export function storedFile(path: FilePath, size: number, headers: HttpHeaders): StoredFile {
  const sha256 = headers[DIGEST_HEADER] ?? ""
  return {
    path,
    size,
    etag: strongEtag(headers["etag"]),
    sha256: /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
    updatedAt: parseTime(headers["last-modified"]),
  }
}

/** An ETag with its quotes, which some stores leave out; null for a weak one, which no condition can be bound to. */
export function strongEtag(text: string | undefined): string | null {
  if (text === undefined || text === "" || text === '""' || text.startsWith("W/")) return null
  return text.startsWith('"') ? text : `"${text}"`
}

/** Whole seconds: listings can tell more than headers do, and both have to tell the same. */
export function parseTime(text: string | undefined): number | null {
  const time = Date.parse(text ?? "")
  return Number.isNaN(time) ? null : Math.floor(time / 1000) * 1000
}

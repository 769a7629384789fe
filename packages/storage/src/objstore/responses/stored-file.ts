import type { HttpHeaders } from "@assay/http"
import type { FilePath } from "../../file-path.ts"
import type { StoredFile } from "../../storage.ts"

/** Header that stores the digest of a written file. */
export const DIGEST_HEADER = "x-amz-meta-sha256"

/** Describes a file from the headers of an object. */
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

/**
 * Returns an ETag with quotes, which some stores leave out. Returns null for a weak one, which conditions can't use.
 */
export function strongEtag(text: string | undefined): string | null {
  if (text === undefined || text === "" || text === '""' || text.startsWith("W/")) return null
  return text.startsWith('"') ? text : `"${text}"`
}

/** Parses a time in whole seconds. Listings can be more exact than headers, but both must give the same time. */
export function parseTime(text: string | undefined): number | null {
  const time = Date.parse(text ?? "")
  return Number.isNaN(time) ? null : Math.floor(time / 1000) * 1000
}

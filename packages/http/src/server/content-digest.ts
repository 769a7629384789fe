import { AssayError } from "@assay/schemas"

const HEX = /^[0-9a-f]{64}$/i
const BASE64 = /^[A-Za-z0-9+/]{43}=$/

/** Parses a SHA-256 digest in hex or base64. Returns lower-case hex. @throws `bad_checksum` */
export function parseSha256(text: string, place: string): string {
  const value = text.trim()
  if (HEX.test(value)) return value.toLowerCase()
  if (BASE64.test(value)) return Buffer.from(value, "base64").toString("hex")
  throw new AssayError(
    "bad_checksum",
    `${place} '${value.slice(0, 100)}' is not SHA-256 as 64 hex digits or 44 characters of base64.`,
  )
}

/**
 * Returns the SHA-256 of a Content-Digest field (RFC 9530: `sha-256=:base64:`), undefined if it has only other algorithms.
 * @throws `bad_checksum`
 */
function parseContentDigest(header: string): string | undefined {
  let found: string | undefined
  for (const item of header.split(",")) {
    const [, algorithm, value] = /^\s*([a-z0-9*_.-]+)=:([A-Za-z0-9+/=]*):\s*$/.exec(item) ?? []
    if (algorithm === undefined || value === undefined) {
      throw new AssayError(
        "bad_checksum",
        `Content-Digest '${header.slice(0, 200)}' is not of the form sha-256=:base64:.`,
      )
    }
    if (algorithm === "sha-256") found = parseSha256(value, "Content-Digest")
  }
  return found
}

/** Returns the SHA-256 that the headers announce for the body of an upload, as lower-case hex. @throws `bad_checksum` */
export function expectedSha256(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const checksum = headers["x-checksum-sha256"]
  const digest = headers["content-digest"]
  const fromChecksum = typeof checksum === "string" ? parseSha256(checksum, "x-checksum-sha256") : undefined
  const fromDigest = typeof digest === "string" ? parseContentDigest(digest) : undefined
  if (fromChecksum !== undefined && fromDigest !== undefined && fromChecksum !== fromDigest) {
    throw new AssayError("bad_checksum", "x-checksum-sha256 and Content-Digest name different digests.")
  }
  return fromChecksum ?? fromDigest
}

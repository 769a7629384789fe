import { isUtf8 } from "node:buffer"
import { createHash, type Hash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import { parseNewFilePath, type FilePath } from "@assay/storage"
import { decodeBase64 } from "./decode-base64.ts"

/** The algorithms of `Upload-Checksum`. */
export const CHECKSUM_ALGORITHMS = ["sha256", "sha1", "md5"] as const

/** The digest that a client announced for one piece. */
export interface PieceChecksum {
  readonly hash: Hash
  readonly expected: Buffer
}

/** Parses `Upload-Checksum: <algorithm> <base64>` (tus checksum extension). @throws `bad_checksum` */
export function parseUploadChecksum(header: string): PieceChecksum {
  const [algorithm = "", value = ""] = header.trim().split(/ +/)
  if (!(CHECKSUM_ALGORITHMS as readonly string[]).includes(algorithm)) {
    throw new AssayError(
      "bad_checksum",
      `Upload-Checksum algorithm '${algorithm}' is not supported; use ${CHECKSUM_ALGORITHMS.join(", ")}.`,
    )
  }
  const hash = createHash(algorithm)
  const expected = decodeBase64(value)
  if (expected?.length !== hash.copy().digest().length) {
    throw new AssayError(
      "bad_checksum",
      `Upload-Checksum '${value.slice(0, 100)}' is not a digest of ${algorithm} in base64.`,
    )
  }
  return { hash, expected }
}

interface UploadMetadata {
  readonly path: FilePath
  /** The digest of the whole file as the client wrote it. */
  readonly sha256: string | undefined
}

const READ_KEYS: ReadonlySet<string> = new Set(["path", "filename", "sha256"])

/** Decodes a value strictly: a lenient decoder would name another file. */
function decodeText(key: string, value: string): string {
  const bytes = decodeBase64(value)
  if (bytes !== undefined && isUtf8(bytes)) return bytes.toString("utf8")
  throw new AssayError(
    "bad_upload",
    `The value '${value.slice(0, 100)}' of ${key} in Upload-Metadata is not the base64 of UTF-8 text.`,
  )
}

/** Parses `Upload-Metadata` (tus creation): comma-separated keys, each with a base64 value. @throws `bad_upload`, `bad_path` */
export function parseUploadMetadata(header: string | undefined): UploadMetadata {
  const values = new Map<string, string>()
  for (const item of (header ?? "").split(",")) {
    const [key = "", value = ""] = item.trim().split(/ +/)
    if (key === "") continue
    if (values.has(key)) throw new AssayError("bad_upload", `Upload-Metadata has the key '${key}' twice; send it once.`)
    // Other keys are for the client alone, so their values need not be texts.
    values.set(key, READ_KEYS.has(key) ? decodeText(key, value) : "")
  }
  const path = values.get("path") ?? values.get("filename")
  if (path === undefined) {
    throw new AssayError(
      "bad_upload",
      "Upload-Metadata must hold the key path: `Upload-Metadata: path <base64 of the file's path>`.",
    )
  }
  return { path: parseNewFilePath(path), sha256: values.get("sha256") }
}

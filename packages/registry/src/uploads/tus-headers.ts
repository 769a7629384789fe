import { createHash } from "node:crypto"
import { AssayError } from "@assay/schemas"
import { parseNewFilePath, type FilePath } from "@assay/storage"
import type { PieceChecksum } from "./write-piece.ts"

/** The algorithms of `Upload-Checksum`. */
export const CHECKSUM_ALGORITHMS = ["sha256", "sha1", "md5"] as const

/** Parses `Upload-Checksum: <algorithm> <base64>` (tus checksum extension). @throws `bad_checksum` */
export function parseUploadChecksum(header: string): PieceChecksum {
  const [algorithm = "", value = ""] = header.trim().split(/ +/)
  if (!(CHECKSUM_ALGORITHMS as readonly string[]).includes(algorithm)) {
    throw new AssayError(
      "bad_checksum",
      `Upload-Checksum algorithm '${algorithm}' is not supported; use ${CHECKSUM_ALGORITHMS.join(", ")}.`,
    )
  }
  return { hash: createHash(algorithm), expected: Buffer.from(value, "base64") }
}

interface UploadMetadata {
  readonly path: FilePath
  /** The digest of the whole file as the client wrote it. */
  readonly sha256: string | undefined
}

/** Parses `Upload-Metadata` (tus creation): comma-separated keys, each with a base64 value. @throws `bad_upload`, `bad_path` */
export function parseUploadMetadata(header: string | undefined): UploadMetadata {
  const values = new Map<string, string>()
  for (const item of (header ?? "").split(",")) {
    const [key, value = ""] = item.trim().split(/ +/)
    if (key !== undefined && key !== "") values.set(key, Buffer.from(value, "base64").toString("utf8"))
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

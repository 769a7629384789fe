import { createHash, type Hash } from "node:crypto"
import { AssayError } from "@assay/schemas"

export const CHECKSUM_ALGORITHMS = ["sha256", "sha1", "md5"] as const

export interface PieceChecksum {
  readonly hash: Hash
  readonly expected: Buffer
}

/** Reads `Upload-Checksum: <algorithm> <base64>` of the tus checksum extension. @throws `bad_checksum` */
export function parseUploadChecksum(header: string): PieceChecksum {
  const [algorithm = "", value = ""] = header.trim().split(/ +/)
  if (!(CHECKSUM_ALGORITHMS as readonly string[]).includes(algorithm)) {
    throw new AssayError(
      "bad_checksum",
      `Upload-Checksum algorithm '${algorithm}' is not taken; use ${CHECKSUM_ALGORITHMS.join(", ")}.`,
    )
  }
  return { hash: createHash(algorithm), expected: Buffer.from(value, "base64") }
}

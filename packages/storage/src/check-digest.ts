import { AssayError, type StorageType } from "@assay/schemas"
import { quotePath, type FilePath } from "./file-path.ts"

export interface WrittenDigest {
  readonly storage: StorageType
  readonly path: FilePath
  /** SHA-256 of the written bytes, lower-case hex. */
  readonly sha256: string
  /** The digest that the caller announced, if any. */
  readonly expected: string | undefined
}

/**
 * Checks that written bytes have the announced digest.
 * @throws `checksum_mismatch`
 */
export function checkDigest({ storage, path, sha256, expected }: WrittenDigest): void {
  if (expected === undefined || expected === sha256) return
  const message = `The bytes for ${quotePath(path)} have the SHA-256 ${sha256}, not ${expected}; nothing was changed. Send them again.`
  throw new AssayError("checksum_mismatch", message, { context: { storage, path, sha256, expected } })
}

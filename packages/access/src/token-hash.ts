import { createHash } from "node:crypto"

/** Returns the SHA-256 of a token. The token file stores it instead of the token. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}

import { createHmac } from "node:crypto"
import { createExpiries, type Expiries } from "./expiries.ts"
import type { Caller } from "./grant.ts"
import { tokenHash } from "./token-hash.ts"
import type { TokenStore } from "./token-store.ts"

/** A new access key for clients of S3. */
export interface AccessKey {
  /** The id of the token. */
  readonly access_key: string
  readonly secret: string
}

/** The access keys of S3 clients. Each belongs to a token: it has the rights of the token, and ends with it. */
export interface AccessKeys {
  /** Returns the holder of an access key and the secrets with which the key can sign. Undefined: the key is not valid. */
  find(accessKey: string): Promise<{ readonly caller: Caller; readonly secrets: readonly string[] } | undefined>
  /** Returns whether a presigned URL has expired, by its signature and its end in milliseconds since 1970. */
  readonly hasExpired: Expiries["hasExpired"]
}

export interface AccessKeyOptions {
  readonly tokens: TokenStore
  /** Newest first, each of at least 32 bytes. Secrets are derived from them. Servers that share them accept each other's. */
  readonly keys: readonly Uint8Array[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Derives the secret of a token (HMAC-SHA-256) from a key of the server, the id of the token and the stored hash of the token. So no secret is
 * stored, the file of tokens is not enough to make one, and the secret does not reveal the token.
 */
function secretOf(key: Uint8Array, id: string, digest: Buffer): string {
  return createHmac("sha256", key).update(`s3.v1.${id}.`).update(digest).digest("base64url")
}

/** Creates the access key of a token that was just created. */
export function createAccessKey(
  key: Uint8Array,
  { id, token }: { readonly id: string; readonly token: string },
): AccessKey {
  return { access_key: id, secret: secretOf(key, id, tokenHash(token)) }
}

/** Creates the look-up of access keys. */
export function createAccessKeys({ tokens, keys, now }: AccessKeyOptions): AccessKeys {
  return {
    async find(accessKey) {
      const known = await tokens.get(accessKey)
      if (known === undefined) return undefined
      return { caller: known.caller, secrets: keys.map((key) => secretOf(key, accessKey, known.digest)) }
    },
    hasExpired: createExpiries(now).hasExpired,
  }
}

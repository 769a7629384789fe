import { createHmac, timingSafeEqual } from "node:crypto"
import type { Caller } from "./grant.ts"
import type { TokenStore } from "./token-store.ts"

/** Sessions of browsers. A session belongs to a token and ends with it. */
export interface Sessions {
  /** Returns the value of a cookie for the holder of a token; undefined if the token is not valid. */
  create(tokenId: string): Promise<string | undefined>
  /** Returns the holder of the token that a cookie belongs to; undefined if it is not valid any more. */
  find(cookie: string): Promise<Caller | undefined>
}

export interface SessionOptions {
  readonly tokens: TokenStore
  /** Servers that share it accept each other's sessions. At least 32 bytes. */
  readonly key: Uint8Array
  readonly now: () => number
  /** Milliseconds until a session ends, if it is not renewed. */
  readonly lifetimeMs: number
}

const FORM = /^v1\.([\w-]+)\.(\d{1,16})\.([\w-]{43})$/u

/**
 * Creates sessions that no server has to store: a cookie names its token and its end, and a message authentication code
 * (HMAC-SHA-256) over both and over the stored hash of the token proves it. Without the key, the file of tokens is not enough to make one.
 */
export function createSessions({ tokens, key, now, lifetimeMs }: SessionOptions): Sessions {
  const codeOf = (tokenId: string, endsAt: number, digest: Buffer) =>
    createHmac("sha256", key).update(`v1.${tokenId}.${endsAt}.`).update(digest).digest()

  return {
    async create(tokenId) {
      const known = await tokens.get(tokenId)
      if (known === undefined) return undefined
      const endsAt = now() + lifetimeMs
      return `v1.${tokenId}.${endsAt}.${codeOf(tokenId, endsAt, known.digest).toString("base64url")}`
    },
    async find(cookie) {
      const [, tokenId, end, code] = FORM.exec(cookie) ?? []
      if (tokenId === undefined || end === undefined || code === undefined) return undefined
      const endsAt = Number(end)
      if (endsAt <= now()) return undefined
      const known = await tokens.get(tokenId)
      if (known === undefined) return undefined
      return timingSafeEqual(Buffer.from(code, "base64url"), codeOf(tokenId, endsAt, known.digest))
        ? known.caller
        : undefined
    },
  }
}

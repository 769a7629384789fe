import { createHmac, timingSafeEqual } from "node:crypto"
import { EVERYONE, type Caller } from "./grant.ts"
import type { Holder, Holders } from "./holders.ts"

/** The rights of the holder of a token for chunks. */
export type XetRight = "read" | "write"

/** A token for the chunks of one fileset. */
export interface XetGrant {
  readonly right: XetRight
  /** Id of the fileset. */
  readonly fileset: string
}

/** Tokens for chunks, which clients of Xet get for their own token. A token ends with its holder. */
export interface XetTokens {
  /** Returns a new token and its end, in milliseconds since 1970. */
  create(caller: Caller, grant: XetGrant): Promise<{ readonly token: string; readonly end: number }>
  /** Returns what a token grants and to whom; undefined if it is not valid. */
  find(token: string): Promise<{ readonly caller: Caller; readonly grant: XetGrant } | undefined>
}

export interface XetTokenOptions {
  readonly holders: Holders
  /** Servers that share it accept each other's tokens. At least 32 bytes. */
  readonly key: Uint8Array
  readonly now: () => number
  /** Milliseconds until a token ends. */
  readonly lifetimeMs: number
  /** Whether callers need a token. If not, tokens for chunks are for everyone. */
  readonly takesTokens: boolean
}

const FORM = /^xet1\.(read|write)\.([\w-]+)\.([\w-]+)\.(\d{1,16})\.([\w-]{43})$/u
/** The token of everyone. */
const NO_TOKEN = "-"

/**
 * Creates tokens that no server has to store: a token names its right, its holder, its fileset and its end, and a message
 * authentication code (HMAC-SHA-256) over them and over the digest of the holder proves it.
 */
export function createXetTokens({ holders, key, now, lifetimeMs, takesTokens }: XetTokenOptions): XetTokens {
  const codeOf = (named: string, digest: Uint8Array) =>
    createHmac("sha256", key).update(`xet1.${named}.`).update(digest).digest()

  async function holderOf(name: string): Promise<Holder | undefined> {
    if (name !== NO_TOKEN) return holders.get(name)
    return takesTokens ? undefined : { caller: EVERYONE, digest: new Uint8Array(0), end: Infinity }
  }

  return {
    async create(caller, { right, fileset }) {
      const named = holders.nameOf(caller) ?? NO_TOKEN
      const known = await holderOf(named)
      const end = Math.min(now() + lifetimeMs, known?.end ?? Infinity)
      const text = `${right}.${named}.${fileset}.${end}`
      // A token that was revoked during the request gets a token that is not valid either.
      const code = codeOf(text, known?.digest ?? new Uint8Array(0))
      return { token: `xet1.${text}.${code.toString("base64url")}`, end }
    },
    async find(token) {
      const [, right, holder, fileset, end, code] = FORM.exec(token) ?? []
      if (holder === undefined || fileset === undefined || end === undefined || code === undefined) return undefined
      if (Number(end) <= now()) return undefined
      const known = await holderOf(holder)
      if (known === undefined) return undefined
      const expected = codeOf(`${right}.${holder}.${fileset}.${end}`, Buffer.from(known.digest))
      if (!timingSafeEqual(Buffer.from(code, "base64url"), expected)) return undefined
      return { caller: known.caller, grant: { right: right === "write" ? "write" : "read", fileset } }
    },
  }
}

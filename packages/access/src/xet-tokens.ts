import { createHmac, timingSafeEqual } from "node:crypto"
import { createExpiries } from "./expiries.ts"
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
  /** Returns a function that makes tokens that are good for one path only. Clients send them within addresses. */
  createSigner(caller: Caller, grant: XetGrant): Promise<(path: string) => string>
  /** Returns what a token grants and to whom; undefined if it is not valid. A token for a path is valid with this path only. */
  find(token: string, path?: string): Promise<{ readonly caller: Caller; readonly grant: XetGrant } | undefined>
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
  const expiries = createExpiries(now)
  const codeOf = (named: string, digest: Uint8Array) =>
    createHmac("sha256", key).update(`xet1.${named}.`).update(digest).digest()
  /** The subject of a token never ends with a path, so a token without one is not valid for any. */
  const withPath = (named: string, path: string | undefined) => (path === undefined ? named : `${named}.${path}`)

  async function holderOf(name: string): Promise<Holder | undefined> {
    if (name !== NO_TOKEN) return holders.get(name)
    return takesTokens ? undefined : { caller: EVERYONE, digest: new Uint8Array(0), end: Infinity }
  }

  /** Returns what the tokens of a caller name, and the digest of their holder. A revoked holder has none: its tokens are not valid. */
  async function describe(caller: Caller, { right, fileset }: XetGrant) {
    const holder = holders.nameOf(caller) ?? NO_TOKEN
    const known = await holderOf(holder)
    const end = Math.min(now() + lifetimeMs, known?.end ?? Infinity)
    return { end, named: `${right}.${holder}.${fileset}.${end}`, digest: known?.digest ?? new Uint8Array(0) }
  }
  const tokenOf = (named: string, code: Buffer) => `xet1.${named}.${code.toString("base64url")}`

  return {
    async create(caller, grant) {
      const { end, named, digest } = await describe(caller, grant)
      return { token: tokenOf(named, codeOf(named, digest)), end }
    },
    async createSigner(caller, grant) {
      const { named, digest } = await describe(caller, grant)
      return (path) => tokenOf(named, codeOf(withPath(named, path), digest))
    },
    async find(token, path) {
      const [, right, holder, fileset, end, code] = FORM.exec(token) ?? []
      if (holder === undefined || fileset === undefined || end === undefined || code === undefined) return undefined
      const known = await holderOf(holder)
      if (known === undefined) return undefined
      const expected = codeOf(withPath(`${right}.${holder}.${fileset}.${end}`, path), Buffer.from(known.digest))
      if (!timingSafeEqual(Buffer.from(code, "base64url"), expected)) return undefined
      if (expiries.hasExpired(code, Number(end))) return undefined
      return { caller: known.caller, grant: { right: right === "write" ? "write" : "read", fileset } }
    },
  }
}

import { createHmac, timingSafeEqual } from "node:crypto"
import type { EndedSessions } from "@assay/registry"
import { createExpiries } from "./expiries.ts"
import type { Caller } from "./grant.ts"
import type { Holders } from "./holders.ts"

/** Sessions of browsers. A session belongs to a token, or to a person of the identity provider, and ends with it. */
export interface Sessions {
  /**
   * Returns the value of a cookie for a caller, and when it ends in milliseconds since 1970; undefined if the caller's token is not valid.
   * @param cookie a cookie whose session the new one continues. Default: the new cookie begins a session
   */
  create(caller: Caller, cookie?: string): Promise<{ readonly value: string; readonly end: number } | undefined>
  /** Returns the caller that a cookie belongs to; undefined if it is no longer valid. */
  find(cookie: string): Promise<Caller | undefined>
  /** Ends the session of a cookie, on all servers and with all its cookies. Does nothing for a cookie that is not valid. */
  end(cookie: string): Promise<void>
}

export interface SessionOptions {
  readonly holders: Holders
  /** Servers that share it accept each other's sessions. At least 32 bytes. */
  readonly key: Uint8Array
  readonly now: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly ended: EndedSessions
  /** Milliseconds until a session ends, if it is not renewed. It never lasts longer than its holder. */
  readonly lifetimeMs: number
}

const FORM = /^v1\.([\w-]+)\.([\w-]+)\.(\d{1,16})\.([\w-]{43})$/u

/**
 * Creates sessions that no server has to store until they are ended: a cookie names its holder, its session and its end, and a message
 * authentication code (HMAC-SHA-256) over them and over the digest of the holder proves it. Without the key, the file of tokens is not
 * enough to make one.
 */
export function createSessions({ holders, key, now, newId, lifetimeMs, ended }: SessionOptions): Sessions {
  const expiries = createExpiries(now)
  const codeOf = (named: string, digest: Uint8Array) =>
    createHmac("sha256", key).update(`v1.${named}.`).update(digest).digest()

  /** Returns the session and the caller of a cookie that has not expired, also if the session was ended. */
  async function read(cookie: string): Promise<{ readonly session: string; readonly caller: Caller } | undefined> {
    const [, holder, session, end, code] = FORM.exec(cookie) ?? []
    if (holder === undefined || session === undefined || end === undefined || code === undefined) return undefined
    const known = await holders.get(holder)
    if (known === undefined) return undefined
    const expected = codeOf(`${holder}.${session}.${end}`, known.digest)
    if (!timingSafeEqual(Buffer.from(code, "base64url"), expected) || expiries.hasExpired(code, Number(end))) {
      return undefined
    }
    return { session, caller: known.caller }
  }

  return {
    async create(caller, cookie) {
      const holder = holders.nameOf(caller)
      const known = holder === undefined ? undefined : await holders.get(holder)
      if (known === undefined) return undefined
      const before = cookie === undefined ? undefined : await read(cookie)
      const session = before?.caller.id === caller.id ? before.session : newId("session")
      const end = Math.min(now() + lifetimeMs, known.end)
      const named = `${holder}.${session}.${end}`
      return { value: `v1.${named}.${codeOf(named, known.digest).toString("base64url")}`, end }
    },
    async find(cookie) {
      const found = await read(cookie)
      return found === undefined || (await ended.isEnded(found.session)) ? undefined : found.caller
    },
    async end(cookie) {
      const found = await read(cookie)
      // Longer than every cookie of the session is valid, even if the clocks of servers differ.
      if (found !== undefined) await ended.end(found.session, now() + 2 * lifetimeMs)
    },
  }
}

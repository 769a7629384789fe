import { timingSafeEqual } from "node:crypto"
import { stat } from "node:fs/promises"
import type { Caller } from "./grant.ts"
import { changeTokenFile, readTokenFile, type StoredToken } from "./token-file.ts"
import { tokenHash } from "./token-hash.ts"

export interface TokenStore {
  /** Returns the holder of `token`, undefined if it is not valid. The token may follow the prefix `hf_`. */
  find(token: string): Promise<Caller | undefined>
  /** Returns the holder of the token with this id and the stored hash of the token, undefined if it is not valid. */
  get(id: string): Promise<{ readonly caller: Caller; readonly digest: Buffer } | undefined>
}

async function fileVersion(file: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true })
    return `${mtimeNs}-${size}-${ino}`
  } catch {
    return "absent"
  }
}

function callerOf({ id, name, grants }: StoredToken): Caller {
  return { id, name, grants }
}

interface KnownToken {
  readonly digest: Buffer
  readonly stored: StoredToken
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

function knownToken(stored: StoredToken): KnownToken {
  const { sha256, expires_at, is_expired = false } = stored
  const end = expires_at === null ? Infinity : Date.parse(expires_at)
  return { digest: Buffer.from(sha256, "hex"), stored, expiresAt: is_expired ? -Infinity : end }
}

/**
 * Opens a token file for look-ups. Each look-up checks the file (one `stat`) and reads it again if it has changed, so that
 * a revoked token fails at once. Each look-up compares every stored hash, in constant time. A token that has expired at any look-up stays
 * expired, even if the clock of the machine is set back: the store remembers it, and marks it in the file if it can be written.
 */
export function openTokenStore(file: string, now: () => number): TokenStore {
  let version = ""
  let tokens: readonly KnownToken[] = []
  const expired = new Set<string>()
  const refresh = async () => {
    const current = await fileVersion(file)
    if (current !== version) {
      tokens = (await readTokenFile(file)).map(knownToken)
      version = current
    }
    const time = now()
    const ended = tokens.filter(({ stored, expiresAt }) => expiresAt <= time && !expired.has(stored.id))
    if (ended.length === 0) return
    for (const { stored } of ended) expired.add(stored.id)
    if (ended.some(({ stored }) => stored.is_expired !== true)) void markExpired(file, expired)
  }
  return {
    async get(id) {
      await refresh()
      const found = tokens.find(({ stored }) => stored.id === id)
      if (found === undefined || expired.has(id)) return undefined
      return { caller: callerOf(found.stored), digest: found.digest }
    },
    async find(token) {
      await refresh()
      const given = tokenHash(withoutHubPrefix(token))
      let found: StoredToken | undefined
      for (const { digest, stored } of tokens) {
        if (timingSafeEqual(digest, given)) found = stored
      }
      if (found === undefined || expired.has(found.id)) return undefined
      return callerOf(found)
    },
  }
}

/** Removes the prefix of tokens of the Hugging Face Hub: some clients require it of each token. */
function withoutHubPrefix(token: string): string {
  return token.replace(/^hf_(?=assay_)/, "")
}

/** Marks tokens in the file, for servers that start later. A file that can't be written stays as it is. */
async function markExpired(file: string, expired: ReadonlySet<string>): Promise<void> {
  const mark = (token: StoredToken): StoredToken => (expired.has(token.id) ? { ...token, is_expired: true } : token)
  await changeTokenFile(file, (tokens) => tokens.map(mark)).catch(() => {})
}

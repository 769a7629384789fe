import { createHash, timingSafeEqual } from "node:crypto"
import { stat } from "node:fs/promises"
import type { Caller } from "./grant.ts"
import { readTokenFile, type StoredToken } from "./token-file.ts"

export interface TokenStore {
  /** Returns the holder of `token`, undefined if it is not valid. */
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
  return { tokenId: id, name, grants }
}

/**
 * Opens a token file for look-ups. Each look-up checks the file (one `stat`) and reads it again if it has changed, so that
 * a revoked token fails at once. Each look-up compares every stored hash, in constant time.
 */
export function openTokenStore(file: string, now: () => number): TokenStore {
  let version = ""
  let tokens: readonly { readonly digest: Buffer; readonly stored: StoredToken }[] = []
  const isExpired = ({ expires_at }: StoredToken) => expires_at !== null && Date.parse(expires_at) <= now()
  const refresh = async () => {
    const current = await fileVersion(file)
    if (current === version) return
    const read = await readTokenFile(file)
    tokens = read.map((stored) => ({ digest: Buffer.from(stored.sha256, "hex"), stored }))
    version = current
  }
  return {
    async get(id) {
      await refresh()
      const found = tokens.find(({ stored }) => stored.id === id)
      if (found === undefined || isExpired(found.stored)) return undefined
      return { caller: callerOf(found.stored), digest: found.digest }
    },
    async find(token) {
      await refresh()
      const given = createHash("sha256").update(token).digest()
      let found: StoredToken | undefined
      for (const { digest, stored } of tokens) {
        if (timingSafeEqual(digest, given)) found = stored
      }
      if (found === undefined || isExpired(found)) return undefined
      return callerOf(found)
    },
  }
}

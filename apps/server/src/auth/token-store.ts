import { createHash, timingSafeEqual } from "node:crypto"
import { stat } from "node:fs/promises"
import type { Caller } from "./grant.ts"
import { readTokenFile, type StoredToken } from "./token-file.ts"

export interface TokenStore {
  /** Who holds `token`, or undefined where no valid token is the same. */
  find(token: string): Promise<Caller | undefined>
}

async function fileVersion(file: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true })
    return `${mtimeNs}-${size}-${ino}`
  } catch {
    return "absent"
  }
}

/**
 * Looks tokens up in a token file. The file is looked at on each call (one `stat`) and read when it has changed, so that
 * a revoked token fails at once. Every stored hash is compared, in constant time.
 */
export function openTokenStore(file: string, now: () => number): TokenStore {
  let version = ""
  let tokens: readonly { readonly digest: Buffer; readonly stored: StoredToken }[] = []
  return {
    async find(token) {
      const current = await fileVersion(file)
      if (current !== version) {
        const read = await readTokenFile(file)
        tokens = read.map((stored) => ({ digest: Buffer.from(stored.sha256, "hex"), stored }))
        version = current
      }
      const given = createHash("sha256").update(token).digest()
      let found: StoredToken | undefined
      for (const { digest, stored } of tokens) {
        if (timingSafeEqual(digest, given)) found = stored
      }
      if (found === undefined || (found.expires_at !== null && Date.parse(found.expires_at) <= now())) return undefined
      return { tokenId: found.id, grants: found.grants }
    },
  }
}

import { randomUUID } from "node:crypto"
import { refusal, type CatalogAnswer } from "./catalog-answer.ts"
import type { CatalogRequest } from "./catalog-routes.ts"
import type { CatalogSettings, FakeCatalogKey } from "./fake-catalog-options.ts"

export interface CatalogAccess {
  /** Returns the answer to a request for a token. */
  exchange(request: CatalogRequest): CatalogAnswer
  /** Returns the caller, or the refusal. */
  caller(request: CatalogRequest): FakeCatalogKey | CatalogAnswer
  /** Revokes every token. */
  revokeTokens(): void
}

const SCOPE = /^group\/ngc:([^/]+)(?:\/([^/]+))?$/

/** Access rights: keys, and tokens that are issued for them. */
export function createCatalogAccess({ keys, tokenSeconds, now }: CatalogSettings): CatalogAccess {
  const tokens = new Map<string, { readonly key: FakeCatalogKey; readonly expires: number }>()
  return {
    exchange({ method, headers, query }) {
      const [, encoded = ""] = /^Basic (\S+)$/.exec(headers.authorization ?? "") ?? []
      const [user, value] = Buffer.from(encoded, "base64").toString("utf8").split(":")
      const key = keys.find((one) => one.value === value)
      const scopes = query.getAll("scope")
      if (method !== "GET" || query.get("service") !== "ngc") return refusal(400, "The service is not known.")
      if (scopes.length === 0 || !scopes.every((scope) => SCOPE.test(scope)))
        return refusal(400, "The scope can't be read.")
      if (user !== "$oauthtoken" || key === undefined || key.value.startsWith("nvapi-")) {
        return refusal(401, "Invalid key.")
      }
      if (!scopes.every((scope) => mayRead(key, ...names(scope)))) return refusal(403, "The scope is not granted.")
      const token = `fake-token-${randomUUID()}`
      tokens.set(token, { key, expires: now() + tokenSeconds * 1000 })
      return { status: 200, body: { token, expires_in: tokenSeconds } }
    },
    caller({ headers }) {
      const [, value = ""] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? []
      const personal = value.startsWith("nvapi-") ? keys.find((key) => key.value === value) : undefined
      const token = tokens.get(value)
      if (token !== undefined && token.expires > now()) return token.key
      return personal ?? refusal(401, token === undefined ? "Invalid token." : "The token has expired.")
    },
    revokeTokens: () => tokens.clear(),
  }
}

/** Returns whether a key may read the assets of an organization or of one of its teams. */
export function mayRead({ orgs }: FakeCatalogKey, org: string, team?: string): boolean {
  return orgs === undefined || orgs.includes(org) || (team !== undefined && orgs.includes(`${org}/${team}`))
}

function names(scope: string): [org: string, team?: string] {
  const [, org = "", team] = SCOPE.exec(scope) ?? []
  return team === undefined ? [org] : [org, team]
}

import { AssayError, paginate, type CreatedToken, type CreateToken, type Token, type TokenPage } from "@assay/schemas"
import type { PageQuery } from "@assay/database"
import { createAccessKey } from "./access-keys.ts"
import { mayGrant, roleIn, type Caller } from "./grant.ts"
import {
  createToken,
  listTokens,
  revokeToken,
  unknownToken,
  type TokenContext,
  type TokenRecord,
} from "./manage-tokens.ts"
import type { StoredToken } from "./token-file.ts"

/** Maximum number of tokens. Each look-up of a token compares all of them. */
const MAX_TOKENS = 1000

/** The tokens of a server as a caller may manage them: those that give rights only where the caller is an admin. */
export interface CallerTokens {
  list(caller: Caller, query: PageQuery): Promise<TokenPage>
  /** @throws `forbidden` if the token would have more rights than the caller, or live longer; `too_many_tokens` */
  create(caller: Caller, body: CreateToken): Promise<CreatedToken>
  /** @throws `not_found`; `last_admin_token` if no valid token with the role admin in all workspaces would be left */
  revoke(caller: Caller, id: string): Promise<Token>
}

/** @param accessKeysKey the key from which the secrets of new access keys are derived */
export function createCallerTokens(context: TokenContext, accessKeysKey: Uint8Array): CallerTokens {
  return {
    async list(caller, { page, page_size }) {
      const visible = (await listTokens(context)).filter(({ grants }) => mayGrant(caller, grants))
      const data = visible.slice((page - 1) * page_size, page * page_size).map(wireToken)
      return { data, pagination: paginate(page, page_size, data.length, visible.length) }
    },
    async create(caller, { name, grants, expires_in, s3 = false }) {
      checkGrants(caller, grants)
      const lifetime = expires_in === undefined ? {} : { lifetimeMs: expires_in * 1000 }
      const { token, record } = await createToken(context, { name, grants, ...lifetime }, (tokens, created) => {
        if (tokens.length >= MAX_TOKENS) throw tooManyTokens()
        const issuer = tokens.find(({ id }) => id === caller.id)
        if (issuer !== undefined) checkLifetime(issuer, created)
      })
      const accessKey = s3 ? createAccessKey(accessKeysKey, { id: record.id, token }) : {}
      return { ...wireToken(record), token, ...accessKey }
    },
    async revoke(caller, id) {
      const record = await revokeToken(context, id, (tokens, revoked) => {
        if (!mayGrant(caller, revoked.grants)) throw unknownToken(id)
        const admins = tokens.filter((token) => isValidAdmin(token, context.now()))
        if (admins.length === 1 && admins[0] === revoked) throw lastAdminToken(revoked)
      })
      return wireToken(record)
    },
  }
}

/** Returns whether a token has not expired and has the role admin in all workspaces. */
function isValidAdmin({ expires_at, is_expired, grants }: StoredToken, now: number): boolean {
  if (is_expired === true) return false
  if (expires_at !== null && Date.parse(expires_at) <= now) return false
  return grants.some(({ workspace, role }) => workspace === "*" && role === "admin")
}

function wireToken({ created_at, is_expired: _expired, ...token }: TokenRecord): Token {
  return { ...token, created_at: created_at ?? null }
}

function checkGrants(caller: Caller, grants: CreateToken["grants"]): void {
  const excess = grants.find((grant) => !mayGrant(caller, [grant]))
  if (excess === undefined) return
  const held = roleIn(caller, excess.workspace)
  const where = excess.workspace === "*" ? "all workspaces (*)" : `workspace '${excess.workspace}'`
  throw new AssayError(
    "forbidden",
    `A token for ${where} needs a creator with the role admin there; yours has ${held ?? "no role"}.`,
  )
}

function checkLifetime({ expires_at: end }: StoredToken, created: StoredToken): void {
  if (end === null || (created.expires_at !== null && Date.parse(created.expires_at) <= Date.parse(end))) return
  throw new AssayError(
    "forbidden",
    `Your token expires at ${end}, so a token that it creates must expire by then: give a shorter \`expires_in\`.`,
  )
}

function tooManyTokens(): AssayError {
  return new AssayError("too_many_tokens", `There are ${MAX_TOKENS} tokens already; revoke one that is not used.`)
}

function lastAdminToken({ name }: StoredToken): AssayError {
  return new AssayError(
    "last_admin_token",
    `'${name}' is the last valid token with the role admin in all workspaces. Create another one first, or run \`assay token revoke\` on the machine of the server.`,
  )
}

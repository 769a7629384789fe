import {
  AssayError,
  formatTimestamp,
  type Grant,
  invalidRequest,
  printable,
  WORKSPACE_NAME_PATTERN,
} from "@assay/schemas"
import { changeTokenFile, readTokenFile, type StoredToken } from "./token-file.ts"
import { tokenHash } from "./token-hash.ts"

export interface TokenContext {
  readonly file: string
  readonly now: () => number
  readonly newId: (prefix: string) => string
  readonly randomBytes: (size: number) => Uint8Array
}

export interface CreateToken {
  readonly name: string
  readonly grants: readonly Grant[]
  /** Milliseconds from now; absent: never. */
  readonly lifetimeMs?: number
}

/** A stored token without its hash. */
export type TokenRecord = Omit<StoredToken, "sha256">

function withoutHash({ sha256: _hash, ...record }: StoredToken): TokenRecord {
  return record
}

/** Refuses a change of the stored tokens by an error. Called while no other process can change them. */
export type CheckTokens = (tokens: readonly StoredToken[], subject: StoredToken) => void

const ALLOWED: CheckTokens = () => {}

const WORKSPACE_NAME = new RegExp(WORKSPACE_NAME_PATTERN, "u")

/** Checks that a workspace of each grant can exist. It may be created later. */
function checkWorkspaces(grants: readonly Grant[]): void {
  for (const [at, { workspace }] of grants.entries()) {
    if (workspace === "*" || WORKSPACE_NAME.test(workspace)) continue
    const rule = "2 to 63 of a-z, 0-9 and -@.+_, beginning with a letter, without -- and without - at the end"
    const message = `'${printable(workspace)}' can't be the name of a workspace: give ${rule}, or * for all.`
    throw invalidRequest(["body", "grants", at, "workspace"], message, "string_pattern_mismatch", workspace)
  }
}

/**
 * Creates a token and stores only its hash. The token itself exists only in the returned value.
 * @throws `invalid_request` for a grant in a workspace whose name is impossible
 */
export async function createToken(
  context: TokenContext,
  options: CreateToken,
  check = ALLOWED,
): Promise<{ token: string; record: TokenRecord }> {
  checkWorkspaces(options.grants)
  const now = context.now()
  const token = `assay_${Buffer.from(context.randomBytes(32)).toString("base64url")}`
  const stored: StoredToken = {
    id: context.newId("token"),
    name: options.name,
    sha256: tokenHash(token).toString("hex"),
    grants: options.grants.map((grant) => ({ ...grant })),
    expires_at: options.lifetimeMs === undefined ? null : formatTimestamp(now + options.lifetimeMs),
    created_at: formatTimestamp(now),
  }
  await changeTokenFile(context.file, (tokens) => {
    check(tokens, stored)
    return [...tokens, stored]
  })
  return { token, record: withoutHash(stored) }
}

export async function listTokens(context: Pick<TokenContext, "file">): Promise<readonly TokenRecord[]> {
  return (await readTokenFile(context.file)).map(withoutHash)
}

/** Revokes a token. A running server refuses it from then on. @throws `not_found` */
export async function revokeToken(
  context: Pick<TokenContext, "file">,
  id: string,
  check = ALLOWED,
): Promise<TokenRecord> {
  let revoked: StoredToken | undefined
  await changeTokenFile(context.file, (tokens) => {
    revoked = tokens.find((token) => token.id === id)
    if (revoked === undefined) throw unknownToken(id)
    check(tokens, revoked)
    return tokens.filter((token) => token !== revoked)
  })
  if (revoked === undefined) throw unknownToken(id)
  return withoutHash(revoked)
}

/** Returns the error for a token that does not exist or that the caller may not see. */
export function unknownToken(id: string): AssayError {
  return new AssayError("not_found", `Token '${id}' not found; \`assay token list\` shows the ids.`)
}

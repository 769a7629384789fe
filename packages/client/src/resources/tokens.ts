import type { CreatedToken, CreateToken, Token, TokenPage } from "@assay/schemas"
import type { CallOptions } from "../client-options.ts"
import type { CallJson } from "../exchange/call-json.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

/** Tokens of a server that identifies its callers. Every call fails with `auth_off` on one that does not. */
export interface Tokens {
  /** Returns one page of the tokens that the caller may manage. Default `page_size` 100, from 1 to 1000. */
  page(query?: PageQuery, options?: CallOptions): Promise<TokenPage>
  list(options?: CallOptions): AsyncGenerator<Token, void, undefined>
  /** Creates a token. Only this answer contains it. @throws `forbidden` if the caller does not have the rights itself */
  create(body: CreateToken, options?: CallOptions): Promise<CreatedToken>
  /** Ends a token and its sessions. @throws `last_admin_token` */
  revoke(id: string, options?: CallOptions): Promise<Token>
}

const root = "/v1/tokens"

export function createTokens(call: CallJson): Tokens {
  const page: Tokens["page"] = async ({ page, page_size } = {}, { signal } = {}) =>
    call({ method: "GET", path: root, query: { page, page_size }, signal })
  return {
    page,
    list: (options) => recordsOfPages(1000, (part) => page(part, options)),
    create: async (json, { signal } = {}) => call({ method: "POST", path: root, json, signal }),
    revoke: async (id, { signal } = {}) => call({ method: "DELETE", path: root + route(id), signal }),
  }
}

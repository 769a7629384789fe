import type { CreateSecret, RotateEncryptionKeysResult, Secret, SecretPage, UpdateSecret } from "@assay/schemas"
import { discardBody } from "@assay/http"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

/** Secrets by name. The server never returns a value. */
export interface Secrets {
  create(workspace: string, body: CreateSecret, options?: CallOptions): Promise<Secret>
  page(workspace: string, query?: PageQuery, options?: CallOptions): Promise<SecretPage>
  list(workspace: string, options?: CallOptions): AsyncGenerator<Secret, void, undefined>
  get(workspace: string, name: string, options?: CallOptions): Promise<Secret>
  update(workspace: string, name: string, body: UpdateSecret, options?: CallOptions): Promise<Secret>
  /** Removes a secret. @throws `in_use` if a record names it, unless `force` */
  remove(workspace: string, name: string, options?: CallOptions & { readonly force?: boolean }): Promise<void>
  /** Encrypts the key of every secret with the newest key-encryption key of the server. */
  rotateEncryptionKeys(options?: CallOptions): Promise<RotateEncryptionKeysResult>
}

const root = "/apis/secrets/v2"

function path(workspace: string, ...name: readonly string[]): string {
  return `${root}/workspaces${route(workspace, "secrets", ...name)}`
}

export function createSecrets(call: CallJson, exchange: Exchange): Secrets {
  const page: Secrets["page"] = async (workspace, { page, page_size } = {}, { signal } = {}) =>
    call({ method: "GET", path: path(workspace), query: { page, page_size }, signal })
  return {
    page,
    create: async (workspace, json, { signal } = {}) => call({ method: "POST", path: path(workspace), json, signal }),
    list: (workspace, options) => recordsOfPages(100, (part) => page(workspace, part, options)),
    get: async (workspace, name, { signal } = {}) => call({ method: "GET", path: path(workspace, name), signal }),
    update: async (workspace, name, json, { signal } = {}) =>
      call({ method: "PATCH", path: path(workspace, name), json, signal }),
    remove: async (workspace, name, { signal, force } = {}) => {
      const query = force === true ? { force } : {}
      await discardBody((await exchange({ method: "DELETE", path: path(workspace, name), query, signal })).body)
    },
    rotateEncryptionKeys: async ({ signal } = {}) =>
      call({ method: "POST", path: `${root}/rotate-encryption-keys`, signal }),
  }
}

import type { Role } from "@assay/schemas"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { createTestToken } from "./create-tokens.ts"
import { FILES, startTestServer, type TestServer } from "./start-test-server.ts"

export type Sender = Extract<Role, "viewer" | "editor"> | "nobody"

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly authorized: boolean
}

/** A server that requires tokens, as clients of the hub see it. */
export interface TestHub extends AsyncDisposable {
  /** The URL that clients use as the hub. */
  readonly url: string
  readonly server: TestServer
  /** The requests that were sent through `fetchAs`. */
  readonly sent: SentRequest[]
  /** Returns a `fetch` with the token of a role in the workspace `default`. It sends no token to upload URLs of objects, like all clients. */
  fetchAs(sender: Sender): typeof fetch
  tokenId(role: Exclude<Sender, "nobody">): string
  token(role: Exclude<Sender, "nobody">): string
  /** Gets a record of the files API, by its path below the workspaces. */
  get(sender: Sender, path: string): Promise<unknown>
}

export async function startHub(env: Readonly<Record<string, string>> = {}): Promise<TestHub> {
  const server = await startTestServer({ ASSAY_AUTH: "tokens", ...env })
  const make = (role: Role) => createTestToken(server, role, { workspace: "default", role })
  const tokens = { viewer: await make("viewer"), editor: await make("editor") }
  const sent: SentRequest[] = []
  const fetchAs =
    (sender: Sender): typeof fetch =>
    (input, init) => {
      const request = new Request(input, init)
      const { method, url } = request
      const authorized = sender !== "nobody" && !url.includes("/hf/lfs/") && !url.includes("/hf/xet/")
      sent.push({ method, url, authorized })
      // A request for chunks has a token that the hub made.
      if (!url.includes("/hf/xet/")) request.headers.delete("authorization")
      if (authorized) request.headers.set("authorization", `Bearer ${tokens[sender].token}`)
      return fetch(request)
    }
  return {
    url: `${server.url}${HUB_PREFIX}`,
    server,
    sent,
    fetchAs,
    tokenId: (role) => tokens[role].record.id,
    token: (role) => tokens[role].token,
    get: async (sender, path) => (await fetchAs(sender)(`${server.url}${FILES}${path}`)).json(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

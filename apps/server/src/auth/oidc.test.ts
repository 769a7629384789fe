import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { verifies } from "@assay/testkit"
import { exportSPKI, SignJWT } from "jose"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createCookieBrowser } from "../testing/cookie-browser.ts"
import { createTestToken } from "../testing/create-tokens.ts"
import {
  AUDIENCE,
  CLIENT,
  CLIENT_SECRET,
  startIdentityProvider,
  type TestProvider,
} from "../testing/start-identity-provider.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const RULES = [
  { claim: "groups", value: "readers", workspace: "default", role: "viewer" },
  { claim: "groups", value: "writers", workspace: "default", role: "editor" },
  { claim: "realm_access.roles", value: "chiefs", workspace: "default", role: "admin" },
  { claim: "https://example.com/role", value: "root", workspace: "*", role: "admin" },
  { claim: "email", value: "ann@example.com", workspace: "default", role: "viewer" },
  { claim: "__proto__.x", value: "y", workspace: "*", role: "admin" },
  { claim: "groups.length", value: "2", workspace: "*", role: "admin" },
]
const JSON_RULES = JSON.stringify(RULES)

let provider: TestProvider
let server: TestServer
let origin = ""
let root = ""
const freePort = async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
const settings = () => ({
  ASSAY_AUTH: "oidc",
  ASSAY_OIDC_ISSUER: provider.issuer,
  ASSAY_OIDC_AUDIENCE: AUDIENCE,
  ASSAY_OIDC_CLIENT_ID: CLIENT,
  ASSAY_OIDC_CLIENT_SECRET: "oidc-client",
  ASSAY_OIDC_GRANTS: JSON_RULES,
  ASSAY_PUBLIC_URL: origin,
})
beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  provider = await startIdentityProvider(origin)
  server = await startTestServer({ ...settings(), PORT: String(port) })
  root = (await createTestToken(server, "root", { workspace: "*", role: "admin" })).token
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const as = (token: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } })

it("probe", async () => {
  const token = await provider.sign({ groups: ["readers"] })
  const got = await as(token, "GET", ENTITIES)
  console.log(got.status, got.text)
  console.log(server.log())
  await as(root, "POST", ENTITIES, { json: { name: "system" } })
  console.log((await as(root, "POST", `${SECRETS}/system/secrets`, { json: { name: "oidc-client", value: CLIENT_SECRET } })).text)
  provider.person = { sub: "ann", email: "ann@example.com", email_verified: true, name: "Ann", groups: "writers" }
  const browser = createCookieBrowser()
  const { url, response } = await browser.follow(`${origin}/session/oidc?return=/filesets?a=b`, `${origin}/filesets`)
  console.log(url, response.status, response.headers.getSetCookie(), await response.text())
  console.log((await server.call("GET", "/session", { headers: { cookie: browser.cookies(origin) } })).text)
})

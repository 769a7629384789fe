import { createHash } from "node:crypto"
import { type AddressInfo, createServer } from "node:net"
import { verifies } from "@assay/testkit"
import { OPERATIONS } from "@assay/openapi"
import type { Role } from "@assay/schemas"
import { exportSPKI, SignJWT } from "jose"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type CookieBrowser, createCookieBrowser } from "../testing/cookie-browser.ts"
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
  { claim: "constructor.name", value: "Object", workspace: "*", role: "admin" },
  { claim: "level", value: "9007199254740992", workspace: "*", role: "admin" },
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
  ASSAY_TRUST_PROXY: "loopback",
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

const session = { subject: "ann", name: "ann@example.com" }
const ANN = { sub: "ann", email: "ann@example.com", email_verified: true, name: "Ann", groups: ["writers"] }
beforeEach(() => {
  provider.person = ANN
})

describe("a token of the identity provider", () => {
  it.each([
    ["a text", { groups: "writers" }, ["editor"]],
    ["a list", { groups: ["others", "readers", "writers"] }, ["viewer", "editor"]],
    ["a path", { realm_access: { roles: ["chiefs"] } }, ["admin"]],
    ["a name with dots", { "https://example.com/role": "root" }, ["admin"]],
    ["an address that the provider checked", { email: "ann@example.com", email_verified: true }, ["viewer"]],
  ])("gives the rights of claims that are %s", verifies("oidc.claims"), async (_what, claims, roles) => {
    const { status, json } = await as(await provider.sign(claims), "GET", "/session")
    expect([status, json.grants.map(({ role }: { role: string }) => role)]).toEqual([200, roles])
    expect(json).toMatchObject({ auth: "oidc", signed_in: true, token: null, user: { subject: "someone" } })
  })

  it.each([
    ["no claim of a rule", {}],
    ["an address that nobody checked", { email: "ann@example.com" }],
    ["an object", { groups: { writers: true } }],
    ["two values, which have a length", { groups: ["a", "b"] }],
    ["lists inside lists", { groups: [["writers"], { value: "writers" }, null] }],
    ["properties of every object", JSON.parse('{"groups": ["constructor", "__proto__"], "__proto__": {"x": "n"}}')],
    ["a number that is rounded", { level: 2 ** 53 }],
    ["a part of a value", { groups: ["writer", "writers ", "WRITERS"] }],
  ])("has no rights with %s", verifies("oidc.claims"), async (_what, claims) => {
    const { status, json } = await as(await provider.sign(claims), "GET", ENTITIES)
    expect([status, json.code, json.detail]).toEqual([403, "forbidden", expect.stringContaining("ASSAY_OIDC_GRANTS")])
  })

  it("is refused if anything of it is wrong, with the reason", verifies("oidc.verified"), async () => {
    const claims = { groups: "writers" }
    const now = Math.floor(Date.now() / 1000)
    const body = { iss: provider.issuer, aud: AUDIENCE, sub: "someone", exp: now + 60, ...claims }
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")
    const [, , signature] = (await provider.sign({ ...claims, groups: "readers" })).split(".")
    const pem = Buffer.from(await exportSPKI(provider.publicKey))
    const signed = (changes: object, header?: object) => provider.sign({ ...claims, ...changes }, { ...header })
    const cases: Readonly<Record<string, string>> = {
      'it is for "other-api", and this server takes tokens for': await signed({ aud: "other-api" }),
      "another client asked for it": await signed({ aud: [CLIENT, "x"], azp: "other-client" }),
      "its issuer is not": await signed({ iss: "https://login.example.com" }),
      "it expired at": await signed({ exp: now - 31 }),
      'missing required "exp" claim': await signed({ exp: undefined }),
      '"nbf" claim timestamp check failed': await signed({ nbf: now + 3600 }),
      'missing required "sub" claim': await signed({ sub: undefined }),
      "its subject (sub) is not a text": await signed({ sub: "s".repeat(256) }),
      "it is neither an access token nor an ID token": await signed({}, { typ: "logout+jwt" }),
      "neither an access token nor": await signed({ events: {} }),
      '"alg" (Algorithm)': `${encode({ alg: "none" })}.${encode(body)}.AA`,
      "Algorithm) Header Parameter value not allowed": await new SignJWT(body)
        .setProtectedHeader({ alg: "HS256", kid: "first" })
        .sign(pem),
      "its signature is wrong": `${encode({ alg: "RS256", kid: "first" })}.${encode(body)}.${signature}`,
      "no key with which it could be signed": await signed({}, { kid: "unknown", jku: `${provider.issuer}/jwks` }),
    }
    const wrong = await Promise.all(
      Object.entries(cases).map(async ([reason, token], at) => {
        // Each address may fail ten times a minute.
        const headers = { "x-forwarded-for": `203.0.113.${at}` }
        const { status, json } = await as(token, "GET", ENTITIES, { headers })
        return status === 401 && json.detail.includes(reason) ? [] : [reason, status, json]
      }),
    )
    expect(wrong.flat()).toEqual([])
    expect((await as(await signed({ aud: ["x", AUDIENCE], azp: "other-client" }), "GET", ENTITIES)).status).toBe(200)
    expect((await as(await signed({ aud: CLIENT, azp: CLIENT }, { typ: "JWT" }), "GET", ENTITIES)).status).toBe(200)
  })

  it(
    "with a new key is accepted, and a flood of unknown keys never asks the provider",
    verifies("oidc.keys"),
    async () => {
      await using other = await startTestServer(settings())
      const send = (token: string, address = "203.0.113.99") =>
        other.call("GET", ENTITIES, { headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address } })
      const loads = () => provider.requests.filter((path) => path === "/jwks").length
      const before = loads()
      const claims = { groups: "readers" }
      expect((await send(await provider.sign(claims))).status).toBe(200)
      await provider.addKey("second")
      expect((await send(await provider.sign(claims, { kid: "second" }))).status).toBe(200)
      const flood = await Promise.all(
        Array.from({ length: 60 }, async (_, at) =>
          send(await provider.sign(claims, { kid: `unknown-${at}` }), `203.0.114.${at}`),
        ),
      )
      expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([401]))
      expect(loads() - before).toBe(2)
      expect((await send(await provider.sign(claims))).status).toBe(200)
    },
  )

  it("may what a token of this server with the same role may, on every route", verifies("oidc.rights"), async () => {
    const people = {
      viewer: { groups: ["readers"] },
      editor: { groups: ["writers"] },
      admin: { realm_access: { roles: ["chiefs"] } },
    }
    const ask = async (token: string, method: string, path: string) => {
      const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" }
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const response = await fetch(origin + path, { method, headers, redirect: "manual", ...body })
      // Read, so that the next request uses the connection again.
      await response.arrayBuffer()
      return response.status
    }
    const differing: unknown[] = []
    const statuses = new Set<number>()
    for (const [role, claims] of Object.entries(people)) {
      const { token } = await createTestToken(server, role, { workspace: "default", role: role as Role })
      const person = await provider.sign(claims)
      // Roles differ in what they write.
      const keys = Object.keys(OPERATIONS).filter((key) => role === "viewer" || !key.startsWith("GET "))
      const walk = keys.map(async (key) => {
        const [method = "", path = ""] = key.split(" ")
        const named = path.replaceAll("{ws}", "default").replaceAll(/\{\w+\}/g, "nothing")
        // The stream of changes would not end.
        const address = named === "/v1/changes" ? `${named}?once=true` : named
        const [own, theirs] = await Promise.all([token, person].map((one) => ask(one, method, address)))
        statuses.add(own ?? 0)
        if (own !== theirs) differing.push([role, key, own, theirs])
      })
      await Promise.all(walk)
    }
    expect(differing).toEqual([])
    expect(statuses).toEqual(new Set([...statuses, 200, 403, 404, 422]))
  })

  it(
    "is not needed by whoever has a token of this server, and says that the provider is away",
    verifies("oidc.away"),
    async () => {
      provider.isAway = true
      try {
        await using other = await startTestServer(settings())
        const token = await provider.sign({ groups: "readers" })
        const send = (bearer: string, path = ENTITIES) =>
          other.call("GET", path, { headers: { authorization: `Bearer ${bearer}` } })
        const { status, json } = await send(token)
        expect([status, json.code, json.detail]).toEqual([503, "unavailable", expect.stringContaining(provider.issuer)])
        const own = await createTestToken(other, "own", { workspace: "default", role: "viewer" })
        expect((await send(own.token)).status).toBe(200)
        expect((await other.call("GET", "/health/ready")).status).toBe(200)
        expect((await send(own.token, "/status")).json).toMatchObject({
          status: "healthy",
          checks: { registry: { ok: true }, identity_provider: { ok: false, detail: json.detail } },
        })
        await expect.poll(() => other.log()).toContain("can't be used")
        // The running server has the keys.
        expect((await as(token, "GET", ENTITIES)).status).toBe(200)
        const page = await createCookieBrowser().open(`${other.url}/session/oidc`)
        expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("You are not signed in")])
      } finally {
        provider.isAway = false
      }
    },
  )
})

describe("a browser", () => {
  beforeAll(async () => {
    await as(root, "POST", `${SECRETS}/system/secrets`, { json: { name: "oidc-client", value: CLIENT_SECRET } })
  })
  /** Goes to the provider and back, up to the address with the code. */
  const begin = async (path = "/") => {
    const browser = createCookieBrowser()
    const { url: callback } = await browser.follow(
      `${origin}/session/oidc?return=${encodeURIComponent(path)}`,
      `${origin}/`,
    )
    return { browser, callback }
  }
  const sessionOf = async (browser: CookieBrowser) =>
    (await server.call("GET", "/session", { headers: { cookie: browser.cookies(origin) } })).json

  it(
    "signs in with the rights of its ID token, and gets the page that it wanted",
    verifies("oidc.sign-in"),
    async () => {
      const groups = [...Array.from({ length: 10_000 }, (_, at) => `group-${at}`), "writers"]
      provider.person = { ...ANN, groups }
      const { browser, callback } = await begin("/filesets?sort=name#top")
      expect(new URL(callback).pathname).toBe("/session/oidc/callback")
      const { status, headers } = await browser.open(callback)
      expect([status, headers.get("location")]).toEqual([302, `${origin}/filesets?sort=name#top`])
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^assay_sign_in=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
        // The ID token of the provider lasts ten minutes, and the session no longer.
        expect.stringMatching(/^assay_session=v1\.\S+; Max-Age=(?:59\d|600); Path=\/; HttpOnly; SameSite=Strict$/),
      ])
      expect(await sessionOf(browser)).toMatchObject({ auth: "oidc", signed_in: true, token: null, user: session })
      const headersOfPage = { cookie: browser.cookies(origin), "sec-fetch-site": "same-origin" }
      const made = await server.call("POST", `${FILES}/default/filesets`, {
        json: { name: "mine" },
        headers: headersOfPage,
      })
      expect(made.status).toBe(200)
      expect(
        (
          await server.call("POST", `${FILES}/default/filesets`, {
            json: { name: "theirs" },
            headers: { cookie: browser.cookies(origin) },
          })
        ).json.code,
      ).toBe("cross_site")

      const cookie = browser.cookies(origin)
      const [, holder = "", id = "", end = "", code = ""] = cookie.split(".")
      const raised = Buffer.from(JSON.stringify(["ann", "ann", "7f", Number.MAX_SAFE_INTEGER])).toString("base64url")
      for (const forged of [`person-${raised}.${id}.${end}.${code}`, `${holder}.${id}.${Number(end) + 1}.${code}`]) {
        expect(
          (await server.call("GET", "/status", { headers: { cookie: `assay_session=v1.${forged}` } })).status,
        ).toBe(401)
      }
      expect((await server.call("DELETE", "/session", { headers: headersOfPage })).status).toBe(204)
      expect((await server.call("GET", "/status", { headers: { cookie } })).status).toBe(401)
      const { headers: leaving } = await browser.open(`${origin}/session/oidc/end`)
      const back = encodeURIComponent(`${origin}/`)
      expect(leaving.get("location")).toBe(
        `${provider.issuer}/session/end?post_logout_redirect_uri=${back}&client_id=${CLIENT}`,
      )
    },
  )

  it(
    "cannot use a sign-in twice, that of another browser, or a changed one",
    verifies("oidc.sign-in-once"),
    async () => {
      const { browser, callback } = await begin()
      const copied = browser.cookies(origin)
      const stranger = createCookieBrowser()
      await stranger.open(`${origin}/session/oidc`)
      const state = new URL(callback)
      state.searchParams.set("state", "x".repeat(43))
      const refused = async (who: CookieBrowser, url: string) => {
        const response = await who.open(url)
        return [
          response.status,
          (await response.text()).includes("You are not signed in"),
          response.headers.getSetCookie(),
        ]
      }
      expect(await refused(createCookieBrowser(), callback)).toEqual([401, true, []])
      expect(await refused(stranger, callback)).toEqual([401, true, []])
      expect(await refused(browser, state.href)).toEqual([401, true, []])
      expect((await browser.open(callback)).status).toBe(302)
      const replay = await server.call("GET", callback.slice(origin.length), { headers: { cookie: copied } })
      expect([replay.status, replay.json.detail]).toEqual([401, expect.stringContaining("it was ended before")])
      // A new sign-in with a code that was used.
      const next = await begin()
      const reused = new URL(next.callback)
      reused.searchParams.set("code", new URL(callback).searchParams.get("code") ?? "")
      expect(await refused(next.browser, reused.href)).toEqual([401, true, []])
      expect((await sessionOf(next.browser)).signed_in).toBe(false)
    },
  )

  it("is in the audit with its subject, name, address and door", verifies("audit.people"), async () => {
    const path = `${FILES}/default/filesets/mine/-/a.txt`
    const token = await provider.sign({ sub: "bot-7", groups: "writers", preferred_username: "nightly\u001b[2J" })
    for (let at = 0; at < 3; at += 1) {
      await as(token, "PUT", path, { body: "x", headers: { "x-forwarded-for": "198.51.100.4" } })
    }
    const read = async (query: string) => (await as(root, "GET", `/v1/audit?${query}`)).json.data
    const program = {
      token: null,
      subject: "bot-7",
      token_name: "nightly\\u001b[2J",
      address: "198.51.100.4",
      door: "api",
    }
    await expect
      .poll(() => read("filter[subject]=bot-7"))
      .toMatchObject([{ ...program, action: "writeFile", name: "mine", count: 3 }])
    expect(await read("filter[subject]=ann&filter[action]=finishSignIn&limit=1")).toMatchObject([
      {
        token: null,
        subject: "ann",
        token_name: "ann@example.com",
        address: "127.0.0.1",
        door: "console",
        status: 302,
      },
    ])
    expect(await read("filter[subject]=ann&filter[action]=createFileset")).toMatchObject([
      { door: "console", name: "mine" },
    ])
  })

  it("gets no session if no rule fits, and a page with the reason", verifies("oidc.claims"), async () => {
    provider.person = { sub: "eve<b>", name: "Eve <script>", groups: { readers: "x" } }
    const { browser, callback } = await begin()
    const response = await browser.open(callback)
    const text = await response.text()
    expect([response.status, text]).toEqual([403, expect.stringContaining("Eve &lt;script&gt;")])
    const [, style = ""] = /<style>([^]*)<\/style>/.exec(text) ?? []
    const hash = createHash("sha256").update(style).digest("base64")
    expect(response.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`)
    expect((await sessionOf(browser)).signed_in).toBe(false)
  })

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "evil.example",
    "/.//evil.example",
    "/session/oidc/end",
    "@evil.example",
  ])("is not led to %j after a sign-in", verifies("oidc.return"), async (path) => {
    const { browser, callback } = await begin(path)
    expect((await browser.open(callback)).headers.get("location")).toBe(`${origin}/`)
  })
})

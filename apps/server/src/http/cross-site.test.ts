// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { createHash } from "node:crypto"
import { createDatabase, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { createTestToken } from "../testing/create-tokens.ts"
import { ENTITIES, FILES, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

type Headers = Readonly<Record<string, string>>

/** Headers that Chromium sends with `fetch(…, { mode: "no-cors" })` from a page of another site. */
const NO_CORS: Headers = {
  origin: "http://attacker.example",
  referer: "http://attacker.example/",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "no-cors",
  "sec-fetch-dest": "empty",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  accept: "*/*",
}
/** A form that a page of another site submits. */
const FORM: Headers = { ...NO_CORS, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-user": "?1" }

const FOREIGN: readonly (readonly [string, Headers])[] = [
  ["fetch without CORS", NO_CORS],
  ["a form", FORM],
  [
    "a page on another port of this machine",
    { ...NO_CORS, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" },
  ],
  ["a sandboxed frame or a local file", { ...NO_CORS, origin: "null" }],
  ["a browser without Sec-Fetch-Site", { origin: "http://attacker.example" }],
  ["a browser that sends no Origin", { "sec-fetch-site": "cross-site" }],
  ["another port of this machine, in a browser that sends no Origin", { "sec-fetch-site": "same-site" }],
  ["another port of this machine, in a browser without Sec-Fetch-Site", { origin: "http://127.0.0.1:1" }],
  ["an origin of another scheme", { origin: "https://127.0.0.1" }],
  ["an origin that is none", { origin: "nonsense" }],
]

const TEXT = { "content-type": "text/plain;charset=UTF-8" }
const BODY = "victim"

/** Writes that a page can send without a preflight, and writes that need one. */
const WRITES: readonly (readonly [string, string, string, Call])[] = [
  [
    "a hub commit",
    "POST",
    `${HUB_PREFIX}/api/models/default/victim/commit/main`,
    {
      headers: TEXT,
      body: `{"key":"header","value":{"summary":"x"}}\n{"key":"file","value":{"path":"evil.txt","content":"${BODY}"}}`,
    },
  ],
  [
    "a form that creates a repository",
    "POST",
    `${HUB_PREFIX}/api/repos/create`,
    { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "name=evil" },
  ],
  ["a rotation of keys without a body", "POST", "/apis/secrets/v2/rotate-encryption-keys", {}],
  [
    "the start of a resumable upload",
    "POST",
    `${FILES}/default/filesets/victim/uploads`,
    {
      headers: {
        "tus-resumable": "1.0.0",
        "upload-length": "6",
        "upload-metadata": `path ${Buffer.from("tus.txt").toString("base64")}`,
      },
    },
  ],
  ["a file", "PUT", `${FILES}/default/filesets/victim/-/evil.txt`, { headers: TEXT, body: BODY }],
  ["a change", "PATCH", `${FILES}/default/filesets/victim`, { json: { description: "evil" } }],
  ["a deletion", "DELETE", `${FILES}/default/filesets/victim/-/kept.txt`, {}],
  ["a workspace", "POST", ENTITIES, { json: { name: "evil" } }],
  ["a route that is not there", "POST", "/nowhere", {}],
]

const withHeaders = (call: Call, headers: Headers): Call => ({ ...call, headers: { ...call.headers, ...headers } })

async function seed(server: TestServer, headers: Headers = {}) {
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "victim" }, headers })
  await server.call("PUT", `${FILES}/default/filesets/victim/-/kept.txt`, { body: "kept", headers })
}

describe("a server without auth", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    await seed(server)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each(FOREIGN)("refuses every write that comes from %s", verifies("auth.cross-site"), async (_, headers) => {
    for (const [, method, path, call] of WRITES) {
      const answer = await server.call(method, path, withHeaders(call, headers))
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, "cross_site"])
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
    }
    const files = await server.call("GET", `${FILES}/default/filesets/victim/files`)
    expect(files.json.data.map(({ path }: { path: string }) => path)).toEqual(["kept.txt"])
    expect((await server.call("GET", `${FILES}/default/filesets/evil`)).status).toBe(404)
    expect((await server.call("GET", `${ENTITIES}/evil`)).status).toBe(404)
  })

  it(
    "does not accept a token as proof of a program, because it never checks tokens",
    verifies("auth.cross-site"),
    async () => {
      const headers = { ...NO_CORS, authorization: "Bearer anything" }
      expect((await server.call("POST", ENTITIES, { json: { name: "evil" }, headers })).status).toBe(403)
    },
  )

  it("accepts writes of programs, of its own pages and of the address bar", verifies("auth.cross-site"), async () => {
    const { host } = new URL(server.url)
    const port = host.split(":")[1] ?? ""
    const own: readonly Headers[] = [
      {},
      { origin: server.url, "sec-fetch-site": "same-origin" },
      { origin: `http://localhost:${port}`, host: `LOCALHOST:${port}`.toLowerCase() },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "same-origin" },
    ]
    for (const headers of own) {
      const answer = await server.call("PUT", `${FILES}/default/filesets/victim/-/own.txt`, { body: "own", headers })
      expect([headers, answer.status]).toEqual([headers, 200])
    }
    await server.call("DELETE", `${FILES}/default/filesets/victim/-/own.txt`)
  })

  it(
    "responds to reads of other sites, but does not let their pages see the responses",
    verifies("auth.cross-site", "auth.cors"),
    async () => {
      for (const method of ["GET", "HEAD"]) {
        const answer = await server.call(method, `${FILES}/default/filesets/victim/-/kept.txt`, { headers: NO_CORS })
        expect(answer.status).toBe(200)
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
        expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin")
      }
      const plain = await server.call("GET", `${FILES}/default/filesets/victim/-/kept.txt`)
      expect(plain.headers["cross-origin-resource-policy"]).toBeUndefined()
    },
  )

  it(
    "allows nothing in a preflight of another site, but still returns the tus headers",
    verifies("auth.cors"),
    async () => {
      const uploads = `${FILES}/default/filesets/victim/uploads`
      const discovery = await server.call("OPTIONS", uploads)
      expect([discovery.status, discovery.headers["tus-version"]]).toEqual([204, "1.0.0"])
      const preflight = { ...NO_CORS, "access-control-request-method": "PUT" }
      for (const path of [uploads, `${FILES}/default/filesets/victim/-/kept.txt`]) {
        const { headers } = await server.call("OPTIONS", path, { headers: preflight })
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([])
      }
    },
  )
})

describe("a server with allowed origins", () => {
  const CONSOLE = "https://console.example.com"
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ ASSAY_ALLOWED_ORIGINS: `${CONSOLE},http://localhost:5173` })
    await seed(server)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it("responds to their preflights before it checks the route or the token", verifies("auth.cors"), async () => {
    const headers = {
      origin: CONSOLE,
      "sec-fetch-site": "cross-site",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,content-type,tus-resumable",
    }
    const answer = await server.call("OPTIONS", `${FILES}/default/filesets/victim/uploads`, { headers })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": CONSOLE,
      "access-control-allow-methods": expect.stringContaining("PATCH"),
      "access-control-allow-headers": "authorization,content-type,tus-resumable",
      vary: "Origin, Access-Control-Request-Headers",
    })
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined()
    expect(answer.headers["tus-version"]).toBeUndefined()
  })

  it(
    "accepts their writes and lets their pages see every response, including errors and files",
    verifies("auth.cors"),
    async () => {
      const headers = { origin: CONSOLE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }
      const put = await server.call("PUT", `${FILES}/default/filesets/victim/-/a.txt`, { body: "a", headers })
      const answers = [
        put,
        await server.call("GET", `${FILES}/default/filesets/victim/-/a.txt`, { headers }),
        await server.call("GET", `${FILES}/default/filesets/missing`, { headers }),
        await server.call("GET", `${HUB_PREFIX}/api/models/default/missing`, { headers }),
        await server.call("OPTIONS", `${FILES}/default/filesets/victim/uploads`, { headers }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 204])
      for (const answer of answers) {
        expect(answer.headers).toMatchObject({
          "access-control-allow-origin": CONSOLE,
          "access-control-expose-headers": "*",
          vary: "Origin",
        })
      }
    },
  )

  it(
    "refuses other origins, and sends Vary: Origin with every response",
    verifies("auth.cors", "auth.cross-site"),
    async () => {
      for (const origin of ["https://console.example.com.attacker.example", "http://console.example.com", "null"]) {
        const answer = await server.call("POST", ENTITIES, { json: { name: "evil" }, headers: { origin } })
        expect([answer.status, answer.json.code]).toEqual([403, "cross_site"])
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
      }
      expect((await server.call("GET", ENTITIES)).headers.vary).toBe("Origin")
    },
  )
})

describe("a server with tokens", () => {
  it("exempts requests with a bearer token, and checks all others", verifies("auth.cross-site"), async () => {
    await using server = await startTestServer({ ASSAY_AUTH: "tokens" })
    const { token } = await createTestToken(server, "root", { workspace: "*", role: "admin" })
    await seed(server, { authorization: `Bearer ${token}` })
    const put = (headers: Headers) =>
      server.call("PUT", `${FILES}/default/filesets/victim/-/a.txt`, { body: "a", headers: { ...NO_CORS, ...headers } })
    expect((await put({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await put({ authorization: "Bearer wrong" })).status).toBe(401)
    for (const headers of [{}, { authorization: `Basic ${token}` }, { cookie: `assay=${token}` }]) {
      const answer = await put(headers)
      expect([answer.status, answer.json.code]).toEqual([403, "cross_site"])
    }
    const sha256 = createHash("sha256").update("x").digest("hex")
    const object = await server.call("PUT", `${HUB_PREFIX}/lfs/default/victim/${sha256}`, {
      body: "x",
      headers: NO_CORS,
    })
    expect(object.status).toBe(403)
  })
})

describe("a worker alone", () => {
  it("refuses writes of other sites", verifies("auth.cross-site"), async () => {
    await using server = await startTestServer({
      DATABASE_URL: await createDatabase(inject("postgresUrl")),
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
      ASSAY_ROLES: "worker",
    })
    const answer = await server.call("POST", "/health/live", { headers: NO_CORS })
    expect([answer.status, answer.json.code]).toEqual([403, "cross_site"])
    expect((await server.call("GET", "/health/live", { headers: NO_CORS })).status).toBe(200)
  })
})

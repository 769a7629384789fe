import { createToken, revokeToken } from "@assay/access"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tokenContext } from "../testing/create-tokens.ts"
import { FILES, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const OWN = { "sec-fetch-site": "same-origin" }

describe("a browser with a cookie", () => {
  let server: TestServer
  let now = Date.now()
  const make = (lifetimeMs?: number) =>
    createToken(
      tokenContext(server, () => now),
      {
        name: "browser",
        grants: [{ workspace: "default", role: "editor" }],
        ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
      },
    )
  const signIn = async (token: string) => {
    const answer = await server.call("POST", "/session", { json: { token }, headers: OWN })
    return { ...answer, cookie: answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "" }
  }
  const as = (cookie: string, method: string, path: string, options: Call = {}) =>
    server.call(method, path, { ...options, headers: { cookie, ...options.headers } })

  beforeAll(async () => {
    server = await startTestServer({ ASSAY_AUTH: "tokens" })
    now = Date.now()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it("begins with a token, and reads and writes what the token may", verifies("console.session"), async () => {
    const { token } = await make()
    const { status, json, headers, cookie } = await signIn(token)
    expect([status, json.signed_in, json.grants]).toEqual([200, true, [{ workspace: "default", role: "editor" }]])
    expect(headers["set-cookie"]?.[0]).toMatch(
      /^assay_session=v1\.[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    expect(cookie).not.toContain(token)
    const made = await as(cookie, "POST", `${FILES}/default/filesets`, { json: { name: "mine" }, headers: OWN })
    expect(made.status).toBe(200)
    expect((await as(cookie, "GET", `${FILES}/default/filesets/mine`)).status).toBe(200)
    expect((await as(cookie, "GET", "/status")).status).toBe(200)
    expect((await as(cookie, "GET", "/session")).json).toMatchObject({ auth: "tokens", signed_in: true })
  })

  it(
    "does not write for pages of other sites, or for those that say nothing",
    verifies("console.session"),
    async () => {
      const { cookie } = await signIn((await make()).token)
      const write = (headers: Record<string, string>) =>
        as(cookie, "POST", `${FILES}/default/filesets`, { json: { name: "theirs" }, headers })
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {}]) {
        expect((await write(headers)).json.code).toBe("cross_site")
      }
      expect((await write({ origin: server.url })).status).toBe(200)
    },
  )

  it("ends with its token, after its time, and when its user signs out", verifies("console.session"), async () => {
    const {
      token,
      record: { id },
    } = await make()
    const { cookie } = await signIn(token)
    expect((await as(cookie, "GET", "/status")).status).toBe(200)
    await revokeToken(
      tokenContext(server, () => now),
      id,
    )
    expect((await as(cookie, "GET", "/status")).status).toBe(401)
    expect((await as(cookie, "GET", "/session")).json).toMatchObject({ signed_in: false, token: null, grants: [] })
    const { headers, status } = await server.call("DELETE", "/session", { headers: OWN })
    expect([status, headers["set-cookie"]?.[0]]).toEqual([204, expect.stringMatching(/^assay_session=; .*Max-Age=0/)])
  })

  it(
    "ends on the server when its user signs out, with every copy of its cookie",
    verifies("console.session"),
    async () => {
      const { token } = await make()
      const { cookie } = await signIn(token)
      const { cookie: elsewhere } = await signIn(token)
      const renewed = (await as(cookie, "GET", "/session")).headers["set-cookie"]?.[0]?.split(";")[0] ?? ""
      expect((await as(renewed, "DELETE", "/session", { headers: OWN })).status).toBe(204)
      for (const copy of [cookie, renewed]) {
        expect((await as(copy, "GET", "/status")).json.code).toBe("unauthorized")
        const { json, headers } = await as(copy, "GET", "/session")
        expect([json.signed_in, headers["set-cookie"]]).toEqual([false, undefined])
      }
      expect((await as(elsewhere, "GET", "/status")).status).toBe(200)
    },
  )

  it("is refused if anything of its cookie was changed", verifies("console.session"), async () => {
    const { cookie } = await signIn((await make()).token)
    const [, tokenId = "", session = "", endsAt = "", code = ""] = cookie.split(".")
    const other = await make()
    for (const forged of [
      `assay_session=v1.${tokenId}.${session}.${Number(endsAt) + 1}.${code}`,
      `assay_session=v1.${other.record.id}.${session}.${endsAt}.${code}`,
      `assay_session=v1.${tokenId}.${session}x.${endsAt}.${code}`,
      `assay_session=v1.${tokenId}.${session}.${endsAt}.${"A".repeat(43)}`,
      "assay_session=v1",
      "assay_session=",
    ]) {
      expect((await as(forged, "GET", "/status")).status).toBe(401)
    }
  })

  it("does not begin with a wrong token, which appears nowhere", verifies("console.session"), async () => {
    const { status, text } = await signIn("assay_wrong_token")
    expect([status, text.includes("assay_wrong_token")]).toEqual([401, false])
    const invalid = await server.call("POST", "/session", { json: { tokn: "assay_other" }, headers: OWN })
    expect([invalid.status, invalid.text.includes("assay_other")]).toEqual([422, false])
    expect(server.log()).not.toMatch(/assay_wrong_token|assay_other/)
  })

  it("needs no token where the server has no auth", verifies("console.session"), async () => {
    await using open = await startTestServer()
    expect((await open.call("GET", "/session")).json).toEqual({
      auth: "off",
      signed_in: true,
      token: null,
      user: null,
      provider: null,
      grants: [{ workspace: "*", role: "admin" }],
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  })
})

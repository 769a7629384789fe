import { readFile } from "node:fs/promises"
import type { Grant } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestToken, tokenContext } from "../testing/create-tokens.ts"
import { ENTITIES, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const ROUTE = "/v1/tokens"
const HOUR_MS = 3_600_000
const EVERYWHERE: Grant = { workspace: "*", role: "admin" }

let server: TestServer
const tokens: Record<string, string> = {}
let rootId = ""
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  const root = await createTestToken(server, "root", EVERYWHERE)
  tokens["root"] = root.token
  rootId = root.record.id
  tokens["owner"] = (await createTestToken(server, "owner", { workspace: "team", role: "admin" })).token
  tokens["editor"] = (await createTestToken(server, "editor", { workspace: "*", role: "editor" })).token
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, {
    ...options,
    headers: { authorization: `Bearer ${tokens[who] ?? who}`, ...options.headers },
  })
const create = (who: string, json: Record<string, unknown>) => as(who, "POST", ROUTE, { json })
const namesFor = async (who: string) =>
  (await as(who, "GET", ROUTE)).json.data.map(({ name }: { name: string }) => name) as string[]

describe("Tokens over HTTP", () => {
  it("are created, listed without values, and revoked", verifies("auth.tokens-over-http"), async () => {
    const made = await create("root", { name: "ci", grants: [{ workspace: "team", role: "editor" }], expires_in: 3600 })
    expect([made.status, made.headers["cache-control"]]).toEqual([201, "no-store"])
    const { token, ...record } = made.json
    expect(record).toMatchObject({ name: "ci", grants: [{ workspace: "team", role: "editor" }] })
    expect(Date.parse(record.expires_at) - Date.parse(record.created_at)).toBe(HOUR_MS)
    const listed = await as("root", "GET", ROUTE)
    expect(listed.json.data).toContainEqual(record)
    expect((await as("root", "GET", `${ROUTE}?page=2&page_size=3`)).json).toMatchObject({
      data: [record],
      pagination: { total_results: 4, total_pages: 2 },
    })
    for (const text of [listed.text, server.log(), await readFile(tokenContext(server).file, "utf8")])
      expect(text).not.toContain(token)
    expect((await as(token, "GET", ENTITIES)).status).toBe(200)
    const revoked = await as("root", "DELETE", `${ROUTE}/${record.id}`)
    expect([revoked.status, revoked.json]).toEqual([200, record])
    expect((await as(token, "GET", ENTITIES)).status).toBe(401)
    expect((await as("root", "DELETE", `${ROUTE}/${record.id}`)).status).toBe(404)
  })

  it("give no right that their creator does not have", verifies("auth.tokens-own-rights"), async () => {
    const grants = [{ workspace: "team", role: "viewer" }]
    expect((await create("editor", { name: "a", grants })).json.code).toBe("forbidden")
    expect((await as("editor", "GET", ROUTE)).json.code).toBe("forbidden")
    for (const workspace of ["*", "default"]) {
      const refused = await create("owner", { name: "a", grants: [...grants, { workspace, role: "viewer" }] })
      expect([refused.status, refused.json.code]).toEqual([403, "forbidden"])
    }
    const short = await createTestToken(server, "short", EVERYWHERE)
    const own = await create("owner", { name: "own", grants, expires_in: 60 })
    expect(own.status).toBe(201)
    expect(await namesFor("owner")).toEqual(["owner", "own"])
    expect((await as("owner", "DELETE", `${ROUTE}/${rootId}`)).status).toBe(404)
    expect((await as("owner", "DELETE", `${ROUTE}/${own.json.id}`)).status).toBe(200)
    expect((await as("root", "DELETE", `${ROUTE}/${short.record.id}`)).status).toBe(200)
  })

  it("live no longer than the token that creates them", verifies("auth.tokens-own-rights"), async () => {
    const grants = [{ workspace: "team", role: "viewer" }]
    const { json: hour } = await create("root", { name: "hour", grants: [EVERYWHERE], expires_in: 3600 })
    for (const expiry of [{}, { expires_in: 7200 }]) {
      const refused = await create(hour.token, { name: "longer", grants, ...expiry })
      expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining(hour.expires_at)])
    }
    const { status, json } = await create(hour.token, { name: "minute", grants, expires_in: 60 })
    expect(status).toBe(201)
    for (const { id } of [hour, json]) expect((await as("root", "DELETE", `${ROUTE}/${id}`)).status).toBe(200)
  })

  it("keep one admin of everything", verifies("auth.tokens-last-admin"), async () => {
    const refused = await as("root", "DELETE", `${ROUTE}/${rootId}`)
    expect([refused.status, refused.json.code]).toEqual([409, "last_admin_token"])
    const { json: next } = await create("root", { name: "next", grants: [EVERYWHERE] })
    expect((await as(next.token, "DELETE", `${ROUTE}/${next.id}`)).status).toBe(200)
    expect((await as(next.token, "GET", ROUTE)).status).toBe(401)
  })

  it("end the sessions of browsers that they opened", verifies("console.session"), async () => {
    const { json } = await create("root", { name: "browser", grants: [EVERYWHERE] })
    const own = { "sec-fetch-site": "same-origin" }
    const signedIn = await server.call("POST", "/session", { json: { token: json.token }, headers: own })
    const headers = { ...own, cookie: signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "" }
    expect((await server.call("GET", ROUTE, { headers })).status).toBe(200)
    expect((await server.call("DELETE", `${ROUTE}/${json.id}`, { headers })).status).toBe(200)
    expect((await server.call("GET", ROUTE, { headers })).status).toBe(401)
  })

  it("are refused if they are wrong", verifies("auth.tokens-over-http"), async () => {
    const wrong = [
      { name: "", grants: [EVERYWHERE] },
      { name: "a\nb", grants: [EVERYWHERE] },
      { name: "a", grants: [] },
      { name: "a", grants: [{ workspace: "*", role: "root" }] },
      { name: "a", grants: [EVERYWHERE], expires_in: 1 },
      { name: "a", grants: [EVERYWHERE], secret: "x" },
    ]
    const answers = await Promise.all(wrong.map((body) => create("root", body)))
    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 422))
  })

  it("are not lost when many are created at once", verifies("auth.tokens-over-http"), async () => {
    const before = (await namesFor("root")).length
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create("root", { name: `n${index}`, grants: [EVERYWHERE] })),
    )
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    expect((await namesFor("root")).length).toBe(before + 8)
  })

  it("say how to turn them on if callers are not identified", verifies("auth.tokens-over-http"), async () => {
    await using open = await startTestServer()
    const { status, json } = await open.call("GET", ROUTE)
    expect([status, json.code]).toEqual([409, "auth_off"])
    expect(json.detail).toContain("ASSAY_AUTH=tokens")
  })
})

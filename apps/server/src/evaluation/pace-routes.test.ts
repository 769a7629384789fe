import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Grant } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { EVALUATION } from "../testing/evaluation-bodies.ts"
import { ENTITIES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  editor: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
  other: [{ workspace: "team", role: "editor" }],
}

let server: TestServer
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  tokens = await createTokens(server, GRANTS)
  await as("root", "POST", ENTITIES, { name: "team" })
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, json?: unknown) =>
  server.call(method, path, {
    ...(json === undefined ? {} : { json }),
    headers: { authorization: `Bearer ${tokens.get(who)}` },
  })
/** Reports about the endpoint with a letter. */
const exchange = (who: string, ws: string, letter: string, report: object = {}) =>
  as(who, "POST", `${EVALUATION}/paces/${ws}`, {
    endpoint: `${letter.repeat(43)}=`,
    unused: 0,
    answers: [],
    wanted: 0,
    ...report,
  })
const REFUSED = { answers: [{ ago_ms: 100, count: 80 }], refusal: { ago_ms: 20, count: 1 } }

describe("the route for rates of endpoints", () => {
  it("gives turns at the rate that any process of the workspace has found", verifies("paces.outside"), async () => {
    const before = await exchange("editor", "default", "A", { wanted: 5 })
    expect([before.status, before.json.count, before.json.rate]).toEqual([200, 0, undefined])
    expect(Math.abs(before.json.now - Date.now())).toBeLessThan(60_000)
    const refused = await exchange("editor", "default", "A", REFUSED)
    expect([refused.json.is_cut, refused.json.rate]).toEqual([true, 72])
    const lease = (await exchange("root", "default", "A", { wanted: 5 })).json
    expect([lease.rate, lease.count, lease.is_cut]).toEqual([72, 5, false])
    expect(lease.first_at).toBeGreaterThanOrEqual(refused.json.now + 1000)
    const next = (await exchange("editor", "default", "A", { wanted: 5 })).json
    expect(next.ask_again_at).toBeGreaterThan(next.now)
    expect((await exchange("editor", "default", "B")).json.rate).toBeUndefined()
  })

  it("needs the right to launch jobs, and keeps the rates of workspaces apart", verifies("paces.own"), async () => {
    await exchange("editor", "default", "C", REFUSED)
    expect((await exchange("other", "team", "C")).json.rate).toBeUndefined()
    expect((await exchange("viewer", "default", "C")).status).toBe(403)
    expect((await exchange("other", "default", "C")).status).toBe(404)
    expect((await exchange("nobody", "default", "C")).status).toBe(401)
    // The jobs of the server have digests without a workspace.
    const database = new DatabaseSync(join(server.folder, "data", "registry.db"), { readOnly: true, timeout: 5000 })
    const rows = database.prepare("select digest from endpoint_paces where digest like '%CCC='").all()
    database.close()
    expect(rows).toEqual([{ digest: `default/${"C".repeat(43)}=` }])
  })

  it.each([
    ["a negative count", { unused: -1 }],
    ["a count that is not whole", { wanted: 1.5 }],
    ["more turns than anybody needs", { wanted: 10_001 }],
    ["answers of the future", { answers: [{ ago_ms: -1, count: 1 }] }],
    ["answers of last year", { answers: [{ ago_ms: 3e10, count: 1 }] }],
    ["no answers at a time", { answers: [{ ago_ms: 1, count: 0 }] }],
    ["too many times", { answers: Array.from({ length: 501 }, () => ({ ago_ms: 1, count: 1 })) }],
    ["a refusal of the future", { refusal: { ago_ms: -5, count: 1 } }],
    ["an endless pause", { refusal: { ago_ms: 5, asked_ms: 1e12, count: 1 } }],
    ["a refusal of nothing", { refusal: { ago_ms: 5, count: 0 } }],
    ["a number as text", { refusal: { ago_ms: "soon", count: 1 } }],
    ["null", { answers: null }],
    ["no digest of an endpoint", { endpoint: "https://models.example" }],
    ["an unknown field", { rate: 0.1 }],
  ])("refuses a report with %s", verifies("paces.ranges"), async (_what, report) => {
    expect((await exchange("editor", "default", "D", report)).status).toBe(422)
    expect((await exchange("editor", "default", "D")).json.rate).toBeUndefined()
  })

  it("leaves no audit record and no line in the log, because reports come many times a second", async () => {
    await exchange("editor", "default", "E", REFUSED)
    expect((await as("editor", "PUT", `${EVALUATION}/baselines/default/main`, { job: "none" })).status).toBe(404)
    await expect.poll(() => server.log(), { timeout: 5000 }).toContain("/baselines/default/main")
    // The log of tests also has what is below `info`.
    const levels = server.log().match(/^\{"level":\d+(?=.*\/paces\/)/gm) ?? []
    expect(new Set(levels)).toEqual(new Set(['{"level":20']))
    const { json } = await as("root", "GET", "/v1/audit")
    expect(json.data.length).toBeGreaterThan(0)
    expect(JSON.stringify(json.data)).not.toContain("exchangePace")
  })
})

import type { AuditRecord } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTestToken } from "../testing/create-tokens.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
const tokens: Record<string, string> = {}
let ownerId = ""
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  tokens["root"] = (await createTestToken(server, "root", { workspace: "*", role: "admin" })).token
  const owner = await createTestToken(server, "owner", { workspace: "default", role: "admin" })
  tokens["owner"] = owner.token
  ownerId = owner.record.id
  tokens["viewer"] = (await createTestToken(server, "viewer", { workspace: "default", role: "viewer" })).token
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens[who]}`, ...options.headers } })

/** Returns the records that `who` sees, oldest first. */
async function auditFor(who: string, query = ""): Promise<readonly AuditRecord[]> {
  const { json } = await as(who, "GET", `/v1/audit${query}`)
  return json.data.toReversed()
}

/** Waits until the last of the writes before is recorded, which follows its response. */
async function untilRecorded(action: string): Promise<void> {
  await expect.poll(() => auditFor("root", `?filter[action]=${action}`), { timeout: 10_000 }).toHaveLength(1)
}

describe("The audit", () => {
  it("records each write with who, what and the status, without values", verifies("audit.writes"), async () => {
    const files = `${FILES}/default/filesets`
    await as("root", "POST", ENTITIES, { json: { name: "team" } })
    await as("owner", "POST", files, { json: { name: "rows", description: "hush-1" } })
    await as("owner", "PUT", `${files}/rows/-/deep/a.txt`, { body: "hush-2" })
    await as("viewer", "DELETE", `${files}/rows/-/deep/a.txt`)
    await as("owner", "POST", `${SECRETS}/default/secrets`, { json: { name: "key", value: "hush-3" } })
    await as("owner", "POST", `${SECRETS}/default/secrets`, { json: { name: "hush 4", value: "hush-5" } })
    await as("owner", "POST", "/v1/evaluation/targets", {
      json: { name: "t", namespace: "default", type: "rows", rows: [{ a: "hush-6" }] },
    })
    await as("root", "POST", "/v1/tokens", { json: { name: "ci", grants: [{ workspace: "team", role: "viewer" }] } })
    await as("owner", "GET", `${files}/rows/-/deep/a.txt`)
    await as("owner", "POST", `${files}/rows/validate?path=deep/a.txt`)
    await server.call("POST", files, { json: { name: "unknown-caller" } })
    const signedIn = await server.call("POST", "/session", {
      json: { token: tokens["viewer"] },
      headers: { "sec-fetch-site": "same-origin" },
    })
    expect(signedIn.status).toBe(200)
    await as("root", "DELETE", `${ENTITIES}/team`)
    await untilRecorded("deleteWorkspace")

    const records = await auditFor("root")
    const shown = records.map(({ token_name, action, workspace, name, status }) =>
      [token_name, action, workspace, name, status].join(" "),
    )
    expect(shown).toEqual([
      "root createWorkspace  team 201",
      "owner createFileset default rows 200",
      "owner writeFile default rows/deep/a.txt 200",
      "viewer deleteFile default rows/deep/a.txt 403",
      "owner createSecret default key 201",
      "owner createSecret default  422",
      "owner createTarget default t 201",
      "root createToken  ci 201",
      "viewer signIn   200",
      "root deleteWorkspace team team 200",
    ])
    expect(records[1]).toMatchObject({ token: ownerId, method: "POST", kind: "filesets" })
    const doors = records.map(({ address, door, subject }) => [address, door, subject].join(" "))
    expect(new Set(doors)).toEqual(new Set(["127.0.0.1 api ", "127.0.0.1 console "]))
    const text = JSON.stringify(records)
    expect(text).not.toContain("hush")
    for (const token of Object.values(tokens)) expect(text).not.toContain(token)
  })

  it("is for admins, and shows them their workspaces", verifies("audit.list"), async () => {
    expect((await as("viewer", "GET", "/v1/audit")).json.code).toBe("forbidden")
    const seen = await auditFor("owner", "?filter[created_at][gte]=2026-01-01")
    expect(new Set(seen.map(({ workspace }) => workspace))).toEqual(new Set(["default"]))
    expect((await auditFor("root", "?filter[status]=403")).map(({ action }) => action)).toEqual(["deleteFile"])
    expect((await auditFor("root", "?search[name]=DEEP")).length).toBe(2)
    expect((await as("root", "GET", "/v1/audit?filter[secret]=x")).json.code).toBe("unknown_filter_field")
    const pages: AuditRecord[] = []
    for (let query: string | undefined = "?limit=4"; query !== undefined;) {
      const { json }: { json: { data: AuditRecord[]; next_cursor?: string } } = await as(
        "root",
        "GET",
        `/v1/audit${query}`,
      )
      pages.push(...json.data)
      query = json.next_cursor === undefined ? undefined : `?limit=4&cursor=${json.next_cursor}`
    }
    expect(pages.toReversed()).toEqual(await auditFor("root"))
    expect((await as("root", "GET", "/v1/audit?cursor=x")).status).toBe(422)
  })

  it("is exported as JSON lines, with the rights and filters of the list", verifies("audit.export"), async () => {
    const exported = async (who: string, query = "") => {
      const { status, text, headers } = await as(who, "GET", `/v1/audit/export${query}`)
      expect([status, headers["content-type"]]).toEqual([200, "application/x-ndjson"])
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    }
    expect(await exported("root")).toEqual((await auditFor("root", "?limit=1000")).toReversed())
    expect(new Set((await exported("owner")).map(({ workspace }) => workspace))).toEqual(new Set(["default"]))
    expect(await exported("root", "?limit=2&filter[workspace]=default")).toHaveLength(2)
    expect(await exported("root", "?filter[action]=none")).toEqual([])
    expect((await as("viewer", "GET", "/v1/audit/export")).json.code).toBe("forbidden")
    expect((await as("root", "GET", "/v1/audit/export?filter[secret]=x")).json.code).toBe("unknown_filter_field")
  })

  it("keeps what was written when the server stops", verifies("audit.kept"), async () => {
    const first = await startTestServer()
    const { folder } = first
    await first.call("POST", ENTITIES, { json: { name: "last" } })
    await first.running.close()
    await using next = await startTestServer({}, folder)
    const { json } = await next.call("GET", "/v1/audit")
    expect(json.data).toMatchObject([{ token: null, token_name: "local", action: "createWorkspace", name: "last" }])
  })
})

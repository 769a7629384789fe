import type { Grant } from "@assay/schemas"
import { openAssistant, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"

import { ENTITIES, FILES, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const GRANTS: Readonly<Record<string, readonly Grant[]>> = {
  root: [{ workspace: "*", role: "admin" }],
  admin: [{ workspace: "default", role: "admin" }],
  editor: [{ workspace: "default", role: "editor" }],
  viewer: [{ workspace: "default", role: "viewer" }],
  outside: [{ workspace: "other", role: "editor" }],
}
const PROTOCOL = { accept: "application/json, text/event-stream" }
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_filesets", arguments: {} } }
const STORED = 'output: "{{ word }}"\ndata: [{ word: a }, { word: b }]\nchecks: [{ equals: a }]'

let server: TestServer
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  tokens = await createTokens(server, GRANTS)
  await as("root", "POST", ENTITIES, { json: { name: "other" } })
  await as("root", "POST", `${FILES}/default/filesets`, { json: { name: "seen" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}`, ...options.headers } })

it(
  "Viewers read, editors and admins launch, and other workspaces are hidden; a launch is recorded with the token of its caller",
  verifies("mcp.rights", "auth.viewer", "auth.editor", "auth.hidden"),
  async () => {
    const expected = {
      viewer: { filesets: ["default/seen"], launch: /^forbidden: / },
      editor: { filesets: ["default/seen"], launch: /"status"/ },
      admin: { filesets: ["default/seen"], launch: /"status"/ },
      outside: { filesets: [], launch: /^not_found: / },
    }
    for (const [who, { filesets, launch }] of Object.entries(expected)) {
      await using assistant = await openAssistant({ url: server.url, token: tokens.get(who) })
      const seen = await assistant.call("list_filesets", { workspace: "-" })
      expect([who, seen.json.filesets.map(({ fileset }: { fileset: string }) => fileset)]).toEqual([who, filesets])
      const launched = await assistant.call("launch_evaluation", { evaluation: STORED })
      expect([who, launched.text]).toEqual([who, expect.stringMatching(launch)])
      expect(launched.text).not.toContain(tokens.get(who))
    }
    await using assistant = await openAssistant({ url: server.url, token: tokens.get("outside") })
    const checked = await assistant.call("check_message", { guardrail: "other/none", message: "Hello" })
    expect(checked.text).toMatch(/^unknown_guardrail: /)
    const { json } = await as("root", "GET", "/v1/audit")
    const launches = json.data.filter(({ action }: { action: string }) => action === "createJob")
    const named = launches.map(({ token_name, status }: { token_name: string; status: number }) => [token_name, status])
    expect(named).toEqual([
      ["outside", 404],
      ["admin", 201],
      ["editor", 201],
      ["viewer", 403],
    ])
  },
)

it(
  "Each tool and the reports are there for viewers, except those that ask models, and for nobody of another workspace",
  verifies("mcp.rights", "auth.viewer", "auth.hidden"),
  async () => {
    const evaluation = STORED
    await using editor = await openAssistant({ url: server.url, token: tokens.get("editor") })
    const launch = async () => (await editor.call("launch_evaluation", { evaluation })).json.jobs[0].id as string
    const [job, baseline] = [await launch(), await launch()]
    for (const id of [job, baseline]) await editor.call("job_status", { job: id, wait_seconds: 45 })
    await as("root", "PUT", `${FILES}/default/filesets/seen/-/rows.jsonl`, { body: '{"word":"a"}\n' })
    const ASKS = { launch_evaluation: { evaluation }, check_message: { guardrail: "default/g", message: "Hello" } }
    const READS = {
      list_filesets: { workspace: "default" },
      list_files: { fileset: "default/seen" },
      read_rows: { fileset: "default/seen", path: "rows.jsonl" },
      validate_dataset: { fileset: "default/seen" },
      list_jobs: { workspace: "default" },
      job_status: { job },
      explain_job: { job },
      list_failing_rows: { job },
      compare_jobs: { baseline, job },
    }
    const { tools } = await editor.client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys({ ...ASKS, ...READS }).toSorted())
    const uri = `assay://workspaces/default/jobs/${job}/report`
    for (const who of ["viewer", "outside"]) {
      await using assistant = await openAssistant({ url: server.url, token: tokens.get(who) })
      for (const [name, given] of Object.entries({ ...ASKS, ...READS })) {
        const { isError, text } = await assistant.call(name, given)
        const isRefused = who === "outside" || name in ASKS
        expect([who, name, isError, isRefused && !/^(?:not_found|forbidden): /.test(text)]).toEqual([
          who,
          name,
          isRefused,
          false,
        ])
      }
      const report = assistant.client.readResource({ uri })
      if (who === "viewer") expect(JSON.stringify(await report)).toContain(job)
      else await expect(report).rejects.toThrow(/not_found/)
    }
  },
)

it(
  "POST /mcp needs a token, refuses pages of other sites without one, and a cookie alone",
  verifies("mcp.origin", "auth.cross-site"),
  async () => {
    const post = (headers: Record<string, string>) =>
      server.call("POST", "/mcp", { json: LIST, headers: { ...PROTOCOL, ...headers } })
    expect((await post({})).status).toBe(401)
    expect((await post({ authorization: "Bearer wrong" })).status).toBe(401)
    expect((await post({ origin: "http://attacker.example" })).json.code).toBe("cross_site")
    const signedIn = await server.call("POST", "/session", { json: { token: tokens.get("viewer") } })
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? ""
    const origin = server.url
    expect((await as("viewer", "POST", "/mcp", { json: LIST, headers: PROTOCOL })).status).toBe(200)
    const withCookie = await post({ cookie, origin })
    expect([withCookie.status, withCookie.json.detail]).toEqual([401, expect.stringContaining("need a token")])

    await using open = await startTestServer()
    const foreign = { origin: "http://attacker.example", ...PROTOCOL }
    expect((await open.call("POST", "/mcp", { json: LIST, headers: foreign })).status).toBe(403)
    expect(
      (await open.call("POST", "/mcp", { json: LIST, headers: { ...PROTOCOL, host: "evil.example" } })).status,
    ).toBe(403)
  },
)

it(
  "POST /mcp has no sessions, and refuses bodies that are no message, of another type or too large",
  verifies("mcp.http"),
  async () => {
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await as("viewer", method, "/mcp")
      expect([status, headers.allow]).toEqual([405, "POST"])
    }
    const post = (call: Call) => as("viewer", "POST", "/mcp", { ...call, headers: { ...PROTOCOL, ...call.headers } })
    expect((await post({ json: [LIST] })).status).toBe(422)
    expect((await post({ body: "{}", headers: { "content-type": "text/plain" } })).status).toBe(415)
    expect((await post({ json: { ...LIST, pad: "x".repeat(5_000_000) } })).status).toBe(413)
    const notified = await post({ json: { jsonrpc: "2.0", method: "notifications/initialized" } })
    expect([notified.status, notified.text]).toEqual([202, ""])
    const unknown = await post({ json: { ...LIST, params: { name: "drop_everything", arguments: {} } } })
    expect(unknown.text).toMatch(/drop_everything/)
  },
)

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { openAssistant, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../../testing/start-server.ts"

const MAIN = fileURLToPath(new URL("../../../dist/bundle/main.js", import.meta.url))

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

it(
  "An assistant that starts `assay mcp` calls the tools of its server, and reads its errors",
  verifies("mcp.stdio"),
  async () => {
    const env = { ASSAY_URL: server.url, ASSAY_WORKSPACE: "default" }
    await using assistant = await openAssistant({ command: process.execPath, args: [MAIN, "mcp"], env })
    const { tools } = await assistant.client.listTools()
    expect(tools.map(({ name }) => name)).toContain("launch_evaluation")
    const evaluation = 'output: "{{ word }}"\ndata: [{ word: a }, { word: b }]\nchecks: [{ equals: a }]'
    const launched = await assistant.call("launch_evaluation", { evaluation })
    const { json } = await assistant.call("job_status", { job: launched.json.jobs[0].id, wait_seconds: 45 })
    expect(json).toMatchObject({ status: "COMPLETED", rows_done: 2, scores: [{ value: 0.5 }] })
    expect((await assistant.call("list_files", { fileset: "none" })).text).toMatch(/^not_found: [^]*What to do: /)
  },
)

it(
  "`assay mcp` writes only messages to stdout, also without a server, and ends with its stdin",
  verifies("mcp.stdio"),
  async () => {
    const messages = [
      {
        method: "initialize",
        id: 1,
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { method: "tools/call", id: 2, params: { name: "list_jobs", arguments: {} } },
    ]
    const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")
    const child = spawn(process.execPath, [MAIN, "mcp", "--server", "http://127.0.0.1:1"], { env: {} })
    const ended = once(child, "close")
    child.stdin.write(`no message\n${input}`)
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (lines.length === messages.length) child.stdin.end()
    }
    expect((await ended)[0]).toBe(0)
    const answers = lines.map((line) => JSON.parse(line))
    expect(answers.map(({ id }) => id)).toEqual([1, 2])
    expect(answers[1].result.content[0].text).toMatch(/^server_unreachable: /)
  },
)

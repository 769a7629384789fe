import { setTimeout as sleep } from "node:timers/promises"
import { startLoopbackServer } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

async function openRows({ delay = 0 } = {}) {
  const server = await startLoopbackServer(async (_, response) => {
    await sleep(delay)
    response.end('{"answer":true}')
  })
  onTestFinished(() => server.close())
  const { rows } = createClient({ url: server.url, fetch, timeout: 50 })
  return { rows, requests: server.requests }
}

describe("calls about rows", () => {
  it("request a validation, a page, a schema and a profile", async () => {
    const { rows, requests } = await openRows()
    const answers = [
      await rows.validate("w", "f"),
      await rows.validate("w", "f", { path: "a b", max_issues: 5 }),
      await rows.page("w", "f", { path: "a.jsonl", offset: 100, limit: 10 }),
      await rows.inferSchema("w", "f", { rows: 20 }),
      await rows.profile("w", "f", { path: "folder" }),
    ]
    expect(answers).toEqual(answers.map(() => ({ answer: true })))
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /apis/files/v2/workspaces/w/filesets/f/validate",
      "POST /apis/files/v2/workspaces/w/filesets/f/validate?path=a%20b&max_issues=5",
      "GET /apis/files/v2/workspaces/w/filesets/f/rows?path=a.jsonl&offset=100&limit=10",
      "POST /apis/files/v2/workspaces/w/filesets/f/infer-schema?rows=20",
      "GET /apis/files/v2/workspaces/w/filesets/f/profile?path=folder",
    ])
  })

  it("have no time limit, and end with their signal", async () => {
    const { rows } = await openRows({ delay: 200 })
    expect(await rows.profile("w", "f")).toEqual({ answer: true })
    const leaving = new AbortController()
    const asked = rows.validate("w", "f", {}, { signal: leaving.signal })
    leaving.abort(new Error("enough"))
    await expect(asked).rejects.toThrow("enough")
  })
})

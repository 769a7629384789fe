import { startLoopbackServer } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

/** Opens a client with a time limit of 50 ms. The server answers when `open` has resolved. */
async function openRows(open: Promise<void> = Promise.resolve()) {
  const server = await startLoopbackServer(async (_, response) => {
    await open
    response.end('{"answer":true}')
  })
  onTestFinished(() => server.close())
  const { rows, filesets } = createClient({ url: server.url, fetch, timeout: 50 })
  return { rows, filesets, requests: server.requests }
}

describe("calls about rows", () => {
  it("request a validation, a page, a schema and a profile", async () => {
    const { rows, requests } = await openRows()
    const answers = [
      await rows.validate("w", "f"),
      await rows.validate("w", "f", { path: "a b", max_issues: 5 }),
      await rows.page("w", "f", { path: "a.jsonl", offset: 100, limit: 10 }),
      await rows.page("w", "f", { path: "a.jsonl", filter: { score: { $gte: "0.5", $lt: "1" } } }),
      await rows.inferSchema("w", "f", { rows: 20 }),
      await rows.profile("w", "f", { path: "folder" }),
    ]
    expect(answers).toEqual(answers.map(() => ({ answer: true })))
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /apis/files/v2/workspaces/w/filesets/f/validate",
      "POST /apis/files/v2/workspaces/w/filesets/f/validate?path=a%20b&max_issues=5",
      "GET /apis/files/v2/workspaces/w/filesets/f/rows?path=a.jsonl&offset=100&limit=10",
      "GET /apis/files/v2/workspaces/w/filesets/f/rows?path=a.jsonl&filter%5Bscore%5D%5B%24gte%5D=0.5&filter%5Bscore%5D%5B%24lt%5D=1",
      "POST /apis/files/v2/workspaces/w/filesets/f/infer-schema?rows=20",
      "GET /apis/files/v2/workspaces/w/filesets/f/profile?path=folder",
    ])
  })

  it("have no time limit, and end with their signal", async () => {
    const gate = Promise.withResolvers<void>()
    const { rows, filesets } = await openRows(gate.promise)
    const profile = rows.profile("w", "f")
    const leaving = new AbortController()
    const asked = rows.validate("w", "f", {}, { signal: leaving.signal })
    leaving.abort(new Error("enough"))
    await expect(asked).rejects.toThrow("enough")
    // A call with the limit ends first.
    await expect(filesets.get("w", "f")).rejects.toMatchObject({ code: "server_unreachable" })
    gate.resolve()
    expect(await profile).toEqual({ answer: true })
  })
})

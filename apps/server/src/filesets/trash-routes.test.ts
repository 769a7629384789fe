import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const TRASH = `${FILES}/default/trash`

let server: TestServer
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  tokens = await createTokens(server, {
    ada: [{ workspace: "default", role: "editor" }],
    viewer: [{ workspace: "default", role: "viewer" }],
    outside: [{ workspace: "system", role: "admin" }],
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, json?: object) =>
  server.call(method, path, {
    headers: { authorization: `Bearer ${tokens.get(who)}` },
    ...(json === undefined ? {} : { json }),
  })
const make = async (name: string): Promise<string> => (await as("ada", "POST", BASE, { name })).json.id

describe("The trash", () => {
  it(
    "lists deleted filesets for viewers, and lets editors restore them or delete them for good",
    verifies("trash.rights", "trash.list", "trash.name-is-free"),
    async () => {
      const id = await make("set")
      const removed = await as("ada", "DELETE", `${BASE}/set`)
      const { restorable_until } = removed.json
      expect(Date.parse(restorable_until) - Date.now()).toBeGreaterThan(86_000_000)
      const entry = {
        id,
        kind: "fileset",
        workspace: "default",
        name: "set",
        description: "",
        removed_by: "ada",
        removed_until: restorable_until,
        bytes: 0,
      }
      expect((await as("viewer", "GET", `${TRASH}?name=set`)).json).toEqual({
        data: [{ ...entry, removed_at: expect.any(String) }],
        pagination: expect.objectContaining({ total_results: 1 }),
        bytes: 0,
      })
      expect((await as("outside", "GET", `${FILES}/-/trash`)).json.data).toEqual([])
      expect((await as("outside", "GET", TRASH)).status).toBe(404)
      expect((await as("viewer", "POST", `${TRASH}/${id}/restore`, {})).status).toBe(403)
      await make("set")
      const taken = await as("ada", "POST", `${TRASH}/${id}/restore`, {})
      expect([taken.status, taken.json.code]).toEqual([409, "already_exists"])
      const restored = await as("ada", "POST", `${TRASH}/${id}/restore`, { name: "old" })
      expect([restored.status, restored.json.id, restored.json.name]).toEqual([200, id, "old"])
      expect((await as("ada", "POST", `${TRASH}/${id}/restore`, { name: "../x" })).status).toBe(422)
      expect((await as("ada", "DELETE", `${TRASH}/${id}`)).status).toBe(404)
    },
  )

  it(
    "has what the hub and the first version delete, and nothing that is deleted permanently",
    verifies("trash.permanent", "trash.remove"),
    async () => {
      for (const name of ["v1", "hub", "permanent"]) await make(name)
      await as("ada", "DELETE", "/v1/datasets/default/v1")
      await as("ada", "DELETE", `${HUB_PREFIX}/api/repos/delete`, {
        name: "hub",
        organization: "default",
        type: "dataset",
      })
      expect((await as("ada", "DELETE", `${BASE}/permanent?permanent=true`)).json.restorable_until).toBeNull()
      const { data } = (await as("ada", "GET", TRASH)).json
      expect(data.map(({ name }: { name: string }) => name)).toEqual(["hub", "v1"])
      expect((await as("viewer", "DELETE", TRASH)).status).toBe(403)
      expect((await as("ada", "DELETE", TRASH)).json).toEqual({ filesets: 2, jobs: 0, bytes: 0 })
    },
  )
})

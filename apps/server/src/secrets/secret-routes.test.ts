import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ENTITIES, SECRETS, startTestServer, type Answer, type TestServer } from "../testing/start-test-server.ts"

const VALUE = "s3cr3t-v4lue-that-must-never-show"
const OTHER = "an0ther-v4lue-that-must-never-show"
const BASE = `${SECRETS}/default/secrets`

let server: TestServer
const answers: Answer[] = []
beforeAll(async () => {
  server = await startTestServer({ ASSAY_LOG_LEVEL: "trace" })
})
afterAll(() => server[Symbol.asyncDispose]())

async function call(method: string, path: string, json?: object): Promise<Answer> {
  const answer = await server.call(method, path, json === undefined ? {} : { json })
  answers.push(answer)
  return answer
}

describe("the routes for secrets", () => {
  it(
    "create, list, get, update and delete without ever returning the value",
    verifies(
      "secrets.create.route",
      "secrets.list.route",
      "secrets.get.route",
      "secrets.update.route",
      "secrets.delete.status-204",
    ),
    async () => {
      const created = await call("POST", BASE, { name: "hub", description: "token", value: VALUE })
      expect(created.status).toBe(201)
      expect(created.json).toEqual({
        name: "hub",
        workspace: "default",
        description: "token",
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })
      expect((await call("GET", `${BASE}/hub`)).json).toEqual(created.json)
      const list = await call("GET", `${BASE}?page=1&page_size=5`)
      expect(list.json.data).toEqual([created.json])
      const updated = await call("PATCH", `${BASE}/hub`, { value: OTHER, description: "new" })
      expect([updated.status, updated.json.description]).toEqual([200, "new"])
      expect((await call("POST", BASE, { name: "hub", value: VALUE })).status).toBe(409)
      expect((await call("POST", BASE, { name: "second", value: VALUE })).status).toBe(201)
      expect((await call("DELETE", `${BASE}/second`)).status).toBe(204)
      expect((await call("GET", `${BASE}/second`)).status).toBe(404)
    },
  )

  it(
    "delete a secret in use only with ?force=true, and keep the records that use it",
    verifies("secrets.in-use"),
    async () => {
      await call("POST", BASE, { name: "used", value: VALUE })
      const target = {
        name: "uses-it",
        type: "model",
        model: { api_endpoint: { url: "http://127.0.0.1:1/v1", model_id: "m", api_key_secret: "used" } },
      }
      expect((await call("POST", "/v1/evaluation/targets", target)).status).toBe(201)
      for (const query of ["", "?force=false"]) {
        const kept = await call("DELETE", `${BASE}/used${query}`)
        expect([kept.status, kept.json.code]).toEqual([409, "in_use"])
        expect(kept.json.detail).toContain("or delete it with the option 'force'")
      }
      expect((await call("DELETE", `${BASE}/used?force=maybe`)).status).toBe(422)
      expect((await call("GET", `${BASE}/used`)).status).toBe(200)
      const deleted = await call("DELETE", `${BASE}/used?force=true`)
      expect([deleted.status, deleted.text]).toEqual([204, ""])
      expect((await call("GET", `${BASE}/used`)).status).toBe(404)
      expect((await call("DELETE", `${BASE}/used?force=true`)).status).toBe(404)
      const left = await call("GET", "/v1/evaluation/targets/default/uses-it")
      expect([left.status, left.json.model.api_endpoint.api_key_secret]).toEqual([200, "used"])
    },
  )

  it("refuse an empty value, and never repeat a refused value", verifies("secrets.empty-value-refused"), async () => {
    const empty = await call("POST", BASE, { name: "empty", value: "" })
    expect([empty.status, empty.json.detail[0].loc]).toEqual([422, ["body", "value"]])
    for (const body of [
      { name: "typo", valeu: VALUE },
      { name: "typo", value: [VALUE] },
      { name: VALUE.replaceAll("-", " "), value: VALUE },
      { name: "x", value: VALUE, description: 5, extra: { deep: VALUE } },
    ]) {
      expect((await call("POST", BASE, body)).status).toBe(422)
    }
    for (const body of [`{"value": "${VALUE}`, `{"value": ${VALUE}}`, VALUE]) {
      const broken = await server.call("POST", BASE, { body, headers: { "content-type": "application/json" } })
      answers.push(broken)
      expect(broken.status).toBe(422)
    }
  })

  it("wrap every secret with the newest key, unless it already is", verifies("secrets.rotate.route"), async () => {
    const rotate = "/apis/secrets/v2/rotate-encryption-keys"
    const answer = await call("POST", rotate)
    expect([answer.status, answer.json]).toEqual([202, { rotated_secrets: 0, success: true }])
    const home = await mkdtemp(join(tmpdir(), "assay-rotation-"))
    const key = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString("base64")}`
    {
      await using first = await startTestServer({ ASSAY_ENCRYPTION_KEYS: key("old", 1) }, home)
      await first.call("POST", BASE, { json: { name: "kept", value: VALUE } })
    }
    {
      await using second = await startTestServer({ ASSAY_ENCRYPTION_KEYS: `${key("new", 2)},${key("old", 1)}` }, home)
      expect((await second.call("POST", rotate)).json).toEqual({ rotated_secrets: 1, success: true })
    }
    await rm(home, { recursive: true })
  })

  it("use a key in a file that only its owner can read", verifies("secrets.encryption-key-made"), async () => {
    const { mode, size } = await stat(join(server.folder, "data", "encryption-keys"))
    expect([(mode & 0o777).toString(8), size > 40]).toEqual(["600", true])
  })

  it(
    "show no value in a response, the log or a file",
    verifies("secrets.value-never-returned", "secrets.encrypted-at-rest"),
    async () => {
      await call("DELETE", `${ENTITIES}/default`)
      expect(answers.length).toBeGreaterThan(12)
      const outputs = [server.log(), ...answers.map((answer) => answer.text + JSON.stringify(answer.headers))]
      const names = (await readdir(join(server.folder, "data"), { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile(),
      )
      expect(names.length).toBeGreaterThan(1)
      for (const entry of names) outputs.push(await readFile(join(entry.parentPath, entry.name), "latin1"))
      for (const output of outputs) {
        expect(output).not.toContain(VALUE)
        expect(output).not.toContain(OTHER)
        expect(output).not.toContain(Buffer.from(OTHER).toString("base64").slice(0, 30))
      }
    },
  )
})

import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { CHECK, endOf, EVALUATION } from "../testing/evaluation-bodies.ts"
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

const JOBS = `${EVALUATION}/jobs`

/** Runs a job that asks no model. */
async function runJob(more: object = {}): Promise<string> {
  const target = { type: "rows", rows: [{ answer: "a", expected: "a" }] }
  const { id } = (await as("ada", "POST", `${JOBS}?skip_validation_checks=1`, { target, config: CHECK, ...more })).json
  await endOf(server, id, { authorization: `Bearer ${tokens.get("ada")}` })
  return id
}

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
    "has deleted jobs with their results, which no route shows until an editor restores them",
    verifies("trash.jobs", "trash.rights", "eval.delete"),
    async () => {
      const id = await runJob({ description: "nightly" })
      const other = await runJob()
      const paths = [
        `${JOBS}/${id}`,
        `${JOBS}/${id}/status`,
        `${JOBS}/${id}/results`,
        `${JOBS}/${id}/rows`,
        `${JOBS}/${id}/events`,
        `${JOBS}/${id}/download-results`,
        `${EVALUATION}/compare?jobs=${other},${id}`,
        `${FILES}/default/filesets/evaluation-${id}`,
      ]
      const statuses = async () => Promise.all(paths.map(async (path) => (await as("viewer", "GET", path)).status))
      const lists = async () => {
        const all = [JOBS, `${EVALUATION}/trends/default?name=nightly`, BASE]
        const texts = await Promise.all(all.map(async (path) => JSON.stringify((await as("viewer", "GET", path)).json)))
        return texts.filter((text) => text.includes(id)).length
      }
      const rows = (await as("viewer", "GET", `${JOBS}/${id}/rows`)).json
      const before = await statuses()
      expect(before).not.toContain(404)
      const shown = await lists()
      expect((await as("viewer", "DELETE", `${JOBS}/${id}`)).status).toBe(403)
      const removed = await as("ada", "DELETE", `${JOBS}/${id}`)
      expect(removed.status).toBe(204)
      const until = String(removed.headers["x-assay-restorable-until"])
      expect(Date.parse(until) - Date.now()).toBeGreaterThan(86_000_000)
      expect(await statuses()).toEqual(paths.map(() => 404))
      expect([shown, await lists()]).toEqual([3, 0])
      expect((await as("ada", "PUT", `${EVALUATION}/baselines/default/main`, { job: id })).status).toBe(404)
      expect((await as("viewer", "GET", `${TRASH}?name=${id}`)).json.data).toMatchObject([
        { id, kind: "job", name: id, description: "nightly", removed_by: "ada", removed_until: until },
      ])
      expect((await as("viewer", "POST", `${TRASH}/${id}/restore`, {})).status).toBe(403)
      expect((await as("ada", "POST", `${TRASH}/${id}/restore`, { name: "new" })).status).toBe(422)
      const restored = await as("ada", "POST", `${TRASH}/${id}/restore`, {})
      expect([restored.status, restored.json]).toEqual([200, (await as("ada", "GET", `${JOBS}/${id}`)).json])
      expect(await statuses()).toEqual(before)
      expect((await as("viewer", "GET", `${JOBS}/${id}/rows`)).json).toEqual(rows)
      expect(await lists()).toBe(3)
      await as("ada", "DELETE", `${JOBS}/${id}`)
      expect((await as("ada", "DELETE", `${TRASH}/${id}`)).json).toMatchObject({ id, kind: "job" })
      expect((await as("ada", "POST", `${TRASH}/${id}/restore`, {})).status).toBe(404)
      const permanent = await as("ada", "DELETE", `${JOBS}/${other}?permanent=true`)
      expect([permanent.status, permanent.headers["x-assay-restorable-until"]]).toEqual([204, undefined])
      expect((await as("ada", "GET", TRASH)).json.data).toEqual([])
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

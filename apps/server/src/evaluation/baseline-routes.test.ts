import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { CHECK, endOf, EVALUATION } from "../testing/evaluation-bodies.ts"
import { type Call, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const BASELINES = `${EVALUATION}/baselines/default`
const TRASH = `${FILES}/default/trash`

let server: TestServer
let tokens: ReadonlyMap<string, string>
let first = ""
let second = ""
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  tokens = await createTokens(server, {
    editor: [{ workspace: "default", role: "editor" }],
    viewer: [{ workspace: "default", role: "viewer" }],
    stranger: [],
    both: [
      { workspace: "default", role: "viewer" },
      { workspace: "system", role: "editor" },
    ],
  })
  first = await launch()
  second = await launch()
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}` } })
const set = (name: string, job: string, who = "editor") => as(who, "PUT", `${BASELINES}/${name}`, { json: { job } })

const bodyOf = (params: object = {}) => ({
  target: { type: "rows", rows: [{ answer: "a", expected: "a" }] },
  config: { ...CHECK, params },
})

async function launch(params?: object): Promise<string> {
  const { id } = (await as("editor", "POST", `${JOBS}?skip_validation_checks=1`, { json: bodyOf(params) })).json
  await endOf(server, id, { authorization: `Bearer ${tokens.get("editor")}` })
  return id
}

it("A baseline is created, moved with its history, listed and deleted", verifies("baselines.history"), async () => {
  const made = await set("main", first)
  expect([made.status, made.json]).toEqual([
    200,
    expect.objectContaining({ namespace: "default", name: "main", job: first }),
  ])
  const moved = await set("main", second)
  expect(moved.json).toMatchObject({
    job: second,
    history: [
      { job: second, by: "editor" },
      { job: first, by: "editor" },
    ],
  })
  expect((await as("viewer", "GET", `${BASELINES}/main`)).json).toEqual(moved.json)
  expect((await as("viewer", "GET", BASELINES)).json).toEqual({ object: "list", data: [moved.json] })
  expect((await as("editor", "DELETE", `${BASELINES}/main`)).json).toMatchObject({ job: second })
  const gone = await as("viewer", "GET", `${BASELINES}/main`)
  expect([gone.status, gone.json.detail]).toEqual([404, "Baseline 'main' not found in workspace 'default'"])
})

it(
  "A job that is a baseline can't be deleted, one that was a baseline can",
  verifies("baselines.protected"),
  async () => {
    const old = await launch()
    await set("kept", old)
    const refused = await as("editor", "DELETE", `${JOBS}/${old}`)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringContaining("is the baseline 'default/kept'"),
    ])
    await set("kept", first)
    expect((await as("editor", "DELETE", `${JOBS}/${old}`)).status).toBe(204)
  },
)

it("A baseline is not set by viewers, nor to a job that is not there or in another workspace", async () => {
  expect((await set("main", first, "viewer")).status).toBe(403)
  expect((await set("main", first, "stranger")).status).toBe(404)
  expect((await set("main", "eval-nowhere")).status).toBe(404)
  const system = await as("both", "PUT", `${EVALUATION}/baselines/system/main`, { json: { job: first } })
  expect([system.status, system.json.detail]).toEqual([422, [expect.objectContaining({ loc: ["body", "job"] })]])
  expect((await as("stranger", "GET", BASELINES)).status).toBe(404)
})

it(
  "A gate compares a job with a baseline or a job of its workspace, and with no other",
  verifies("gates.against"),
  async () => {
    await set("gated", first)
    const gate = (against: string) => ({ gates: [{ task: "qa", metric: "accuracy", against, stop: "early" }] })
    for (const against of ["gated", first]) {
      const { json } = await as("viewer", "GET", `${JOBS}/${await launch(gate(against))}`)
      const name = `qa.accuracy.string-check gain over ${against}`
      expect(json.status_details.gates).toMatchObject([{ name, value: 0, verdict: "PASS" }])
    }
    await as("both", "PUT", `${EVALUATION}/baselines/system/elsewhere`, { json: { job: first } })
    for (const against of ["lost", "./results", "system/elsewhere"]) {
      const refused = await as("editor", "POST", JOBS, { json: bodyOf(gate(against)) })
      expect(refused.json.failed_checks).toMatchObject([
        {
          check: "baseline",
          code: "not_found",
          message: `The workspace 'default' has no baseline and no job '${against}'.`,
        },
      ])
    }
  },
)

/** Counts what the database has of a job, which no route shows while the job is in the trash. */
function countRecords(id: string): number {
  const database = new DatabaseSync(join(server.running.dataFolder, "registry.db"), { readOnly: true })
  try {
    const counts = ["evaluation_jobs where id", "evaluation_rows where job_id", "trash_entries where id"].map((where) =>
      Number(database.prepare(`select count(*) as found from ${where} = ?`).get(id)?.["found"]),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  } finally {
    database.close()
  }
}

it(
  "The trash has deleted jobs with their results, which no route shows until an editor restores them",
  verifies("trash.jobs", "trash.rights", "eval.delete"),
  async () => {
    const [id, other] = [await launch(), await launch()]
    await as("editor", "PATCH", `${JOBS}/${id}`, { json: { description: "nightly" } })
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
      const all = [JOBS, `${EVALUATION}/trends/default?name=nightly`, `${FILES}/default/filesets`]
      const texts = await Promise.all(all.map(async (path) => JSON.stringify((await as("viewer", "GET", path)).json)))
      return texts.filter((text) => text.includes(id)).length
    }
    const rows = (await as("viewer", "GET", `${JOBS}/${id}/rows`)).json
    const before = await statuses()
    expect(before).not.toContain(404)
    const shown = await lists()
    expect((await as("viewer", "DELETE", `${JOBS}/${id}`)).status).toBe(403)
    const removed = await as("editor", "DELETE", `${JOBS}/${id}`)
    expect(removed.status).toBe(204)
    const until = String(removed.headers["x-assay-restorable-until"])
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(86_000_000)
    expect(await statuses()).toEqual(paths.map(() => 404))
    expect(countRecords(id)).toBeGreaterThan(1)
    expect([shown, await lists()]).toEqual([3, 0])
    expect((await as("editor", "PUT", `${EVALUATION}/baselines/default/main`, { json: { job: id } })).status).toBe(404)
    expect((await as("viewer", "GET", `${TRASH}?name=${id}`)).json.data).toMatchObject([
      { id, kind: "job", name: id, description: "nightly", removed_by: "editor", removed_until: until },
    ])
    expect((await as("viewer", "POST", `${TRASH}/${id}/restore`, { json: {} })).status).toBe(403)
    expect((await as("editor", "POST", `${TRASH}/${id}/restore`, { json: { name: "new" } })).status).toBe(422)
    const restored = await as("editor", "POST", `${TRASH}/${id}/restore`, { json: {} })
    expect([restored.status, restored.json]).toEqual([200, (await as("editor", "GET", `${JOBS}/${id}`)).json])
    expect(await statuses()).toEqual(before)
    expect((await as("viewer", "GET", `${JOBS}/${id}/rows`)).json).toEqual(rows)
    expect(await lists()).toBe(3)
    await as("editor", "DELETE", `${JOBS}/${id}`)
    expect((await as("editor", "DELETE", `${TRASH}/${id}`)).json).toMatchObject({ id, kind: "job" })
    await expect.poll(() => countRecords(id)).toBe(0)
    expect((await as("editor", "POST", `${TRASH}/${id}/restore`, { json: {} })).status).toBe(404)
    const permanent = await as("editor", "DELETE", `${JOBS}/${other}?permanent=true`)
    expect([permanent.status, permanent.headers["x-assay-restorable-until"]]).toEqual([204, undefined])
    const kept = JSON.stringify((await as("editor", "GET", TRASH)).json.data)
    for (const gone of [id, other]) expect(kept).not.toContain(gone)
  },
)

/** Changes the database of the server once it does not write. It has the same thread, so to wait for its lock would be to wait for ever. */
async function change(statement: string): Promise<void> {
  using database = new DatabaseSync(join(server.running.dataFolder, "registry.db"), { timeout: 0 })
  await vi.waitFor(() => database.exec(statement), 5000)
}

/** Lets the database refuse an operation while `work` runs. */
async function whileRefused<T>(operation: string, work: () => Promise<T>): Promise<T> {
  await change(`create trigger refuse before ${operation} begin select raise(abort, 'disk I/O error'); end`)
  try {
    return await work()
  } finally {
    await change("drop trigger refuse")
  }
}

it.each(["delete on evaluation_jobs", "insert on trash_entries"])(
  "A permanent deletion has no effect if it returns an error, and is completed later if it was answered: %s is refused",
  verifies("trash.jobs", "files.upload.error-no-effect"),
  async (operation) => {
    const id = await launch()
    const { status } = await whileRefused(operation, () => as("editor", "DELETE", `${JOBS}/${id}?permanent=true`))
    const parts = [`${JOBS}/${id}`, `${JOBS}/${id}/rows`, `${FILES}/default/filesets/evaluation-${id}`]
    const after = await Promise.all(parts.map((path) => as("viewer", "GET", path)))
    const expected = status === 204 ? 404 : 200
    expect(after.map((part) => part.status)).toEqual(parts.map(() => expected))
    expect(countRecords(id)).toBeGreaterThan(0)
  },
)

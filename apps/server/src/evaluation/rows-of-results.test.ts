import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CHECK, endOf, EVALUATION, GIVEN } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Runs a job to its end, and removes its journal. */
async function launch(): Promise<string> {
  const body = { target: GIVEN, config: CHECK }
  const { json } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, { json: body })
  await endOf(server, json.id)
  // The job has an index of its journal.
  await server.call("GET", `${JOBS}/${json.id}/rows`)
  rmSync(join(folderOf(json.id), "rows.jsonl"))
  return json.id
}
const folderOf = (job: string) => join(server.folder, "data", "evaluation", "jobs", job)
const copyOf = (job: string) => join(folderOf(job), "result-rows", "rows.jsonl")
const results = (job: string, path = "/-/results/rows.jsonl") => `${FILES}/default/filesets/evaluation-${job}${path}`
const get = (job: string, query: string) => server.call("GET", `${JOBS}/${job}/${query}`)
const numbers = (json: { data: { row_index: number }[] }) => json.data.map(({ row_index }) => row_index)

describe("the rows of a job whose journal is gone", () => {
  it("are read from its results, which are copied once", verifies("eval.rows.results"), async () => {
    const job = await launch()
    const [page, again] = await Promise.all([get(job, "rows?sort=score:accuracy"), get(job, "rows?limit=1")])
    expect([numbers(page.json), page.json.total, numbers(again.json)]).toEqual([[1, 0], 2, [0]])
    const { ino } = statSync(copyOf(job))
    expect(numbers((await get(job, "rows?filter[text][$like]=NO")).json)).toEqual([1])
    expect((await get(job, "rows/qa/1")).json).toMatchObject({ attempts: [{ item: { answer: "no" } }] })
    expect((await get(job, "distribution?metric=accuracy")).json).toMatchObject({ count: 2, mean: 0.5 })
    const other = await launch()
    const { json } = await server.call("GET", `${EVALUATION}/compare/rows?a=${job}&b=${other}&metric=accuracy`)
    expect([json.a, json.total, numbers(json)]).toEqual([job, 2, [0, 1]])
    expect(statSync(copyOf(job)).ino).toBe(ino)
    expect((await server.call("DELETE", `${JOBS}/${job}?permanent=true`)).status).toBe(204)
    expect(readdirSync(join(server.folder, "data", "evaluation", "jobs"))).not.toContain(job)
  })

  it("are read again after the file in the results has changed, without lines that are not rows", async () => {
    const job = await launch()
    expect((await get(job, "rows")).json.total).toBe(2)
    const row = { task: "qa", row_index: 7, repeat: 0, attempt: 1, item: {}, sample: null, scores: {}, error: null }
    const lines = [
      row,
      { ...row, row_index: -1 },
      { ...row, repeat: 1e9 },
      { ...row, scores: { a: null } },
      { ...row, item: 5 },
    ]
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
    expect((await server.call("PUT", results(job), { body })).status).toBe(200)
    const { json } = await get(job, "rows")
    expect([numbers(json), json.total, json.scores]).toEqual([[7], 1, []])
  })

  it("are refused if their numbers would take too much memory", async () => {
    const job = await launch()
    const row = {
      task: "qa",
      row_index: 2 ** 32 - 1,
      repeat: 0,
      attempt: 1,
      item: {},
      sample: null,
      scores: {},
      error: null,
    }
    await server.call("PUT", results(job), { body: `${JSON.stringify(row)}\n` })
    const { status, json } = await get(job, "rows")
    expect([status, json.code, json.detail]).toEqual([422, "rows_invalid", expect.stringContaining("Row 4294967295")])
  })

  it("are gone with the results: the answer says so, and what to do", verifies("eval.rows.results"), async () => {
    const job = await launch()
    await server.call("DELETE", results(job))
    for (const query of ["rows", "rows/qa/0", "distribution?metric=accuracy"]) {
      const { status, json } = await get(job, query)
      expect([status, json.code]).toEqual([410, "rows_gone"])
      expect(json.detail).toContain("Restore the fileset of the results from a backup, or launch the job again.")
    }
    await server.call("DELETE", results(job, ""))
    expect((await get(job, "rows")).json.code).toBe("rows_gone")
  })
})

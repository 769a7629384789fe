import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { askConfig, CHECK, endOf, EVALUATION, GIVEN, modelTarget } from "../testing/evaluation-bodies.ts"
import { readZip } from "../testing/read-zip.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const WORDS = "assay://datasets/default/words/rows.jsonl"

let server: TestServer
let fake: FakeInference
let done: string
let failed: string
beforeAll(async () => {
  fake = await startFakeInference()
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n{"word":"b"}\n' })
  done = await launch({ target: GIVEN, config: CHECK, description: "Two rows" })
  failed = await launch({ target: modelTarget("http://127.0.0.1:9"), config: askConfig(WORDS) })
  await Promise.all([done, failed].map((id) => endOf(server, id)))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const get = (path: string, headers = {}) => server.call("GET", `${JOBS}/${path}`, { headers })

async function launch(json: object): Promise<string> {
  const answer = await server.call("POST", `${JOBS}?skip_validation_checks=True`, { json })
  return answer.json.id
}

function eventsOf(text: string) {
  return [...text.matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.*)$/gm)].map(([, id, event, data]) => ({
    id: Number(id),
    event,
    data: JSON.parse(data ?? ""),
  }))
}

it(
  "The event stream returns all events of a job, and continues after Last-Event-ID",
  verifies("eval.events"),
  async () => {
    const { status, headers, text } = await get(`${done}/events`)
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
      "no-cache",
    ])
    const events = eventsOf(text)
    const statuses = events.filter(({ event }) => event === "status")
    expect(statuses.map(({ data }) => data.status)).toEqual(["PENDING", "RUNNING", "COMPLETED"])
    expect(events.at(-1)?.event).toBe("status")
    expect(events.find(({ event }) => event === "progress")?.data).toMatchObject({
      progress: 100,
      samples_processed: 2,
    })
    expect(events.some(({ event, data }) => event === "log" && typeof data.message === "string")).toBe(true)
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    const rest = eventsOf((await get(`${done}/events`, { "last-event-id": String(ids[1]) })).text)
    expect(rest).toEqual(events.slice(2))
    expect(eventsOf((await get(`${done}/events`, { "last-event-id": "none" })).text)).toEqual(events)
    const condition = eventsOf((await get(`${failed}/events`)).text).find(({ event }) => event === "condition")
    expect(condition?.data).toMatchObject({ code: "inference_unreachable" })
  },
)

it(
  "The event stream follows a running job and ends with it",
  verifies("eval.events", "eval.logs", "brief.evaluation.status-running", "eval.streams-bounded"),
  async () => {
    fake.faults.add({ fault: { kind: "hang" } })
    const id = await launch({ target: modelTarget(fake.url), config: askConfig(WORDS) })
    const leaving = new AbortController()
    const given = await fetch(`${server.url}${JOBS}/${id}/events`, { signal: leaving.signal })
    const followed = get(`${id}/logs?format=text&follow=true`)
    let text = ""
    const reading = (async () => {
      for await (const piece of given.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
    })()
    await expect.poll(() => eventsOf(text).some(({ data }) => data.status === "RUNNING")).toBe(true)
    expect((await get(id)).json.status).toBe("RUNNING")
    const early = await get(`${id}/download-results`)
    expect([early.status, early.json.code]).toEqual([409, "job_not_final"])
    // A caller has at most 100 such streams, of which two are open.
    const open = async (path: string, closing: AbortController) =>
      (await fetch(`${server.url}${JOBS}/${id}/${path}`, { signal: closing.signal })).status
    const more = new AbortController()
    const paths = Array.from({ length: 103 }, (_, at) => (at % 2 === 0 ? "events" : "logs?format=text&follow=true"))
    const statuses = await Promise.all(paths.map((path) => open(path, more)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(98)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    expect((await get(`${id}/logs?format=text`)).status).toBe(200)
    more.abort()
    const again = new AbortController()
    await expect.poll(() => open("events", again)).toBe(200)
    again.abort()
    await server.call("POST", `${JOBS}/${id}/cancel`)
    await reading
    expect(eventsOf(text).at(-1)).toMatchObject({ event: "status", data: { status: "CANCELLED" } })
    expect((await followed).text).toContain("INFO")
    fake.faults.clear()
  },
)

it(
  "The archive of a job that has ended is a zip for every Accept header",
  verifies(
    "eval.download",
    "brief.evaluation.download",
    "brief.evaluation.download-accept",
    "brief.evaluation.download-logs",
    "brief.evaluation.download-statuses",
  ),
  async () => {
    for (const id of [done, failed]) {
      const { status, headers, bytes } = await get(`${id}/download-results`, { accept: "application/json" })
      expect([status, headers["content-type"]]).toEqual([200, "application/zip"])
      const files = readZip(bytes)
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining([
          "config/job.json",
          "config/target.json",
          "config/config.json",
          "results/evaluation.log",
        ]),
      )
      expect(JSON.parse(files["config/job.json"] ?? "").id).toBe(id)
      expect(files["results/evaluation.log"]).toContain("INFO")
    }
    const { bytes } = await get(`${done}/download-results`)
    expect(Object.keys(readZip(bytes))).toEqual(
      expect.arrayContaining(["results/results.json", "results/rows.jsonl", "results/report.html"]),
    )
  },
)

it(
  "The archive comes from output_files_url, and has record and log of a job that never started",
  verifies("eval.download"),
  async () => {
    const output_files_url = "assay://datasets/default/words/out"
    const id = await launch({ target: GIVEN, config: CHECK, output_files_url })
    await endOf(server, id)
    expect(readZip((await get(`${id}/download-results`)).bytes)).toHaveProperty(["results/results.json"])
    const { files_url } = (await get(`${id}/results`)).json
    expect(files_url).toBe(`hf://datasets/default/words/out/${id}/attempt-1`)
    const path = `${FILES}/default/filesets/words/-/out/${id}/attempt-1/results/results.json`
    expect((await server.call("GET", path)).status).toBe(200)

    fake.faults.add({ fault: { kind: "hang" } })
    const body = { target: modelTarget(fake.url), config: askConfig(WORDS) }
    const ids = await Promise.all(Array.from({ length: 6 }, () => launch(body)))
    const statuses = () => Promise.all(ids.map(async (id) => (await get(id)).json.status))
    await expect.poll(async () => (await statuses()).filter((status) => status === "RUNNING").length).toBe(4)
    const waiting = ids[(await statuses()).indexOf("PENDING")] ?? ""
    for (const one of [waiting, ...ids]) await server.call("POST", `${JOBS}/${one}/cancel`)
    await Promise.all(ids.map((id) => endOf(server, id)))
    fake.faults.clear()
    const files = readZip((await get(`${waiting}/download-results`)).bytes)
    expect(Object.keys(files)).toEqual([
      "config/job.json",
      "config/target.json",
      "config/config.json",
      "config/pins.json",
      "results/evaluation.log",
    ])
    expect(JSON.parse(files["config/job.json"] ?? "")).toMatchObject({ id: waiting, status: "CANCELLED" })
  },
)

it(
  "Results go to the fileset of output_files_url even if it is renamed during the job",
  verifies("results.bound"),
  async () => {
    const filesets = `${FILES}/default/filesets`
    await server.call("POST", filesets, { json: { name: "out" } })
    fake.faults.add({ fault: { kind: "hang" } })
    const body = { target: modelTarget(fake.url), config: askConfig(WORDS), output_files_url: "default/out#runs" }
    const id = await launch(body)
    await expect.poll(async () => (await get(id)).json.status).toBe("RUNNING")
    await server.call("PATCH", `${filesets}/out`, { json: { name: "renamed" } })
    await server.call("POST", filesets, { json: { name: "out" } })
    await server.call("POST", `${JOBS}/${id}/cancel`)
    expect(await endOf(server, id)).toMatchObject({ status: "CANCELLED" })
    fake.faults.clear()
    const pathsIn = async (name: string) =>
      (await server.call("GET", `${filesets}/${name}/files`)).json.data.map(({ path }: { path: string }) => path)
    expect(await pathsIn("out")).toEqual([])
    expect(await pathsIn("renamed")).toContain(`runs/${id}/attempt-1/results/evaluation.log`)
    expect(readZip((await get(`${id}/download-results`)).bytes)).toHaveProperty(["results/evaluation.log"])

    const later = await launch({ target: GIVEN, config: CHECK, output_files_url: "default/renamed" })
    await endOf(server, later)
    await server.call("PATCH", `${filesets}/renamed`, { json: { name: "again" } })
    expect((await get(`${later}/results`)).json.files_url).toBe(`hf://datasets/default/again/${later}/attempt-1`)
    expect((await server.call("DELETE", `${JOBS}/${later}?permanent=true`)).status).toBe(204)
    expect((await pathsIn("again")).filter((path: string) => path.startsWith(later))).toEqual([])
  },
)

it("A launch is refused if a file has the name of a folder of the results", verifies("launch.results"), async () => {
  for (const url of ["default/words#rows.jsonl", "assay://datasets/default/words/rows.jsonl/deeper"]) {
    const body = { target: GIVEN, config: CHECK, output_files_url: url }
    const { status, json } = await server.call("POST", JOBS, { json: body })
    expect([status, json.code]).toEqual([400, "launch_refused"])
    expect(JSON.stringify(json)).toMatch(/The results can.t be written: .*rows.jsonl/)
  }
})

it(
  "The log is available as an archive, as text, and as its last lines",
  verifies("eval.logs", "brief.evaluation.status-completed", "brief.evaluation.status-failed"),
  async () => {
    for (const id of [done, failed]) {
      const archive = await get(`${id}/logs`)
      expect(archive.headers["content-type"]).toBe("application/zip")
      const files = readZip(archive.bytes)
      expect(Object.keys(files).every((path) => path.endsWith(".log"))).toBe(true)
      const { headers, text } = await get(`${id}/logs?format=text`)
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8")
      const lines = text.split("\n")
      expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z [A-Z]+ +\S/)
      expect((await get(`${id}/logs?format=text&tail=1`)).text).toBe(`${lines.at(-2)}\n`)
      expect((await get(`${id}/logs?format=text&tail=0`)).text).toBe("")
    }
  },
)

it(
  "The explanation of a job has conditions with evidence and remedy, and the next commands",
  verifies("eval.explain"),
  async () => {
    const { status, json } = await get(`${failed}/explain`)
    expect([status, json.status]).toEqual([200, "FAILED"])
    expect(json.conditions[0]).toMatchObject({
      code: "inference_unreachable",
      evidence: [expect.any(String)],
      remedy: expect.any(String),
      count: expect.any(Number),
    })
    expect(json.next.length).toBeGreaterThan(0)
    expect((await get(`${done}/explain`)).json).toMatchObject({ status: "COMPLETED", conditions: [] })
  },
)

it("Every route of a job that does not exist returns 404", async () => {
  for (const what of ["", "/status", "/events", "/results", "/download-results", "/logs", "/explain"]) {
    const { status, json } = await get(`eval-none${what}`)
    expect([status, json]).toEqual([404, { detail: "Evaluation job 'eval-none' not found", code: "not_found" }])
  }
})

it("The result of a job has slices, with the same numbers as its archive", verifies("metric.slices"), async () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({ output: at % 2 === 0 ? "yes" : "no", kind: at % 2, note: at }))
  const check = { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "yes"] } }
  const params = { slices: ["kind", "note.text"] }
  const config = { type: "custom", params, tasks: { qa: { type: "data", metrics: { check } } } }
  const id = await launch({ target: { type: "rows", rows }, config })
  await endOf(server, id)
  const { tasks } = (await get(`${id}/results`)).json
  const { slices } = tasks.qa.metrics.check.scores["string-check"]
  expect(slices).toMatchObject([
    {
      column: "kind",
      values: 2,
      worst: "1",
      groups: [
        { name: "0", value: 1 },
        { name: "1", value: 0 },
      ],
    },
    { column: "note.text", values: 0, worst: null, groups: [{ kind: "missing", scored: 40, difference: null }] },
  ])
  const files = readZip((await get(`${id}/download-results`)).bytes)
  expect(JSON.parse(files["results/results.json"] ?? "").tasks).toEqual(tasks)
})

import { type Assistant, openAssistant, startFakeInference, verifies, type FakeInference } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"

import { GUARDRAILS, startJudge, type TestJudge } from "../testing/start-judge.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const KEY = "sk-of-the-fake-1234"
const ROWS = 40

let server: TestServer
let fake: FakeInference
let judge: TestJudge
let assistant: Assistant
beforeAll(async () => {
  fake = await startFakeInference({ key: KEY })
  judge = await startJudge()
  server = await startTestServer()
  await server.call("POST", `${SECRETS}/default/secrets`, { json: { name: "model-key", value: KEY } })
  await server.call("POST", `${GUARDRAILS}/default/configs`, { json: { name: "g", data: judge.data } })
  const Row = { type: "object", properties: { word: { type: "string" } }, required: ["word"] }
  const metadata = { dataset: { schema: Row } }
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset", metadata } })
  // A number that JavaScript would change, and a text that no answer may contain as a whole.
  const rows = Array.from({ length: ROWS }, (_, at) => `{"word":"w${at}","id":12345678901234567890}\n`)
  await server.call("PUT", `${FILES}/default/filesets/words/-/a/rows.jsonl`, { body: rows.join("") })
  const long = `{"word":${JSON.stringify("x".repeat(50_000))}}\n{"word":1}\n`
  await server.call("PUT", `${FILES}/default/filesets/words/-/long.jsonl`, { body: long.repeat(20) })
  assistant = await openAssistant({ url: server.url })
})
afterAll(async () => {
  await assistant[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await fake.close()
  await judge.fake.close()
})

/** The text of an evaluation file whose model repeats its prompt, except for the last rows. */
const evaluation = (more = "") =>
  [
    `model: { url: "${fake.url}/v1", model: echo, key: model-key }`,
    "data: default/words#a/rows.jsonl",
    'prompt: "{{ word }}"',
    'checks: [{ equals: "w1" }, { contains: "{{ word }}" }]',
    "gates: [contains >= 0.5]",
    more,
  ].join("\n")

const launch = async (text: string): Promise<string> => {
  const { isError, text: said, json } = await assistant.call("launch_evaluation", { evaluation: text })
  expect([isError, isError ? said : ""]).toEqual([false, ""])
  return json.jobs[0].id
}

it(
  "An assistant finds rows, launches an evaluation of them, and reads scores, badly answered rows, a comparison and the report",
  verifies("mcp.evaluation", "mcp.no-secret"),
  async () => {
    const { json: listed } = await assistant.call("list_filesets", { name_contains: "wor" })
    expect(listed.filesets).toMatchObject([{ fileset: "default/words", purpose: "dataset", files: 2 }])
    const { json: files } = await assistant.call("list_files", { fileset: "words", path: "a" })
    expect(files).toMatchObject({ files: [{ path: "a/rows.jsonl" }], next_page_token: null })
    const query = { fileset: "default/words", path: "a/rows.jsonl", where: ["word=w1,w2"], limit: 1 }
    const rows = await assistant.call("read_rows", query)
    expect(rows.json).toMatchObject({ rows: [{ row_index: 1 }], total: ROWS, next_offset: 2 })
    expect(rows.text).toContain('"id":12345678901234567890')
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "odd", purpose: "dataset" } })
    await server.call("PUT", `${FILES}/default/filesets/odd/-/odd.jsonl`, { body: '{"word":"\u202Eab"}\n' })
    const odd = await assistant.call("read_rows", { fileset: "default/odd", path: "odd.jsonl" })
    expect([odd.text, odd.json.rows[0].row]).toEqual([expect.stringContaining('"\\u202eab"'), { word: "\u202Eab" }])

    const [first, second] = [await launch(evaluation()), await launch(evaluation("description: again"))]
    const { json: status } = await assistant.call("job_status", { job: first, wait_seconds: 45 })
    expect(status).toMatchObject({ status: "COMPLETED", is_final: true, rows_done: ROWS, rows_failed: 0 })
    expect(status.gates).toMatchObject([{ gate: expect.stringContaining(">= 0.5"), verdict: "PASS" }])
    const scored = status.scores.find(({ score }: { score: string }) => score.includes("equals"))
    expect(scored).toMatchObject({ value: 1 / ROWS, low: expect.any(Number), rows: ROWS })
    const metric = scored.score.split(".").slice(1).join(".")
    const { json: bad } = await assistant.call("list_failing_rows", { job: first, metric, limit: 3 })
    expect(bad).toMatchObject({
      matched: ROWS - 1,
      next_offset: 3,
      rows: [{ item: { word: "w0" }, output: "w0" }, {}, {}],
    })
    const { json: none } = await assistant.call("list_failing_rows", { job: first })
    expect([none.rows, none.notes[0]]).toEqual([[], expect.stringContaining("give metric, such as")])

    await assistant.call("job_status", { job: second, wait_seconds: 45 })
    const { json: compared } = await assistant.call("compare_jobs", { baseline: first, job: second })
    expect(compared).toMatchObject({ verdict: "PASS", changed_rows_total: 0 })
    expect(compared.scores).toContainEqual(expect.objectContaining({ score: scored.score, difference: 0, rows: ROWS }))

    const [task = ""] = scored.score.split(".")
    const label = { task, metric, row_index: 0, label: 0 }
    const body = { author: "ann", fileset: "people", labels: [label] }
    const added = await server.call("PUT", `/v1/evaluation/jobs/${first}/labels`, { json: body })
    expect([added.status, added.text]).toEqual([200, expect.stringContaining("default/people")])
    const people = { baseline: first, job: second, labels: "people" }
    const { json: seen } = await assistant.call("compare_jobs", { ...people, corrected: true })
    const ofPeople = seen.scores.find(({ score }: { score: string }) => score === scored.score)
    expect(ofPeople.corrected).toMatchObject({ labels: expect.any(Number), differing: 0 })
    expect((await assistant.call("compare_jobs", people)).text).toMatch(/^invalid_request: [^]*add corrected/)

    const { json: jobs } = await assistant.call("list_jobs", { status: "COMPLETED" })
    expect(jobs.jobs.map(({ job }: { job: string }) => job)).toEqual([second, first])
    const { resources } = await assistant.client.listResources()
    const uri = `assay://workspaces/default/jobs/${first}/report`
    expect(resources.map((resource) => resource.uri)).toContain(uri)
    const { contents } = await assistant.client.readResource({ uri })
    const report = JSON.stringify(contents)
    expect(report).toMatch(/## ✅ PASS[^]*### Scores/)
    await expect(assistant.client.readResource({ uri: uri.replace("default", "other") })).rejects.toThrow(/not_found/)
    expect(JSON.stringify([status, bad, compared, report])).not.toContain(KEY)
  },
)

it(
  "A failed job is explained, and a refused launch and a text that is wrong say what to do, without the key that they contain",
  verifies("mcp.failures", "mcp.errors", "mcp.no-secret"),
  async () => {
    const body = evaluation().replace(", key: model-key", "")
    const refused = await assistant.call("launch_evaluation", { evaluation: body })
    expect(refused.text).toMatch(/^launch_refused: [^]*- endpoint: [^]*What to do: /)
    const { json } = await assistant.call("launch_evaluation", { evaluation: body, skip_checks: true })
    const id = json.jobs[0].id
    await assistant.call("job_status", { job: id, wait_seconds: 45 })
    const { json: explained } = await assistant.call("explain_job", { job: id })
    const [condition] = explained.conditions
    expect(condition).toMatchObject({ remedy: expect.any(String), evidence: [expect.any(String)] })
    const { json: failing } = await assistant.call("list_failing_rows", { job: id, limit: 1 })
    expect(failing.rows).toMatchObject([{ error: { code: expect.any(String) } }])

    for (const [input, said] of [
      [{ evaluation: "model: [" }, /^bad_document: evaluation:1:\d+: [^]*\nWhat to do: /],
      [{ evaluation: evaluation().replace("checks", "chekcs") }, /did you mean 'checks'/],
      [{ evaluation: evaluation().replace("default/words#a/rows.jsonl", "./rows.csv") }, /rows\.csv/],
      [{ evaluation: evaluation().replace("model-key", "MODEL_KEY") }, /MODEL_KEY/],
      [{ target: "default/t" }, /^invalid_request: Give either 'evaluation'/],
      [{ target: { type: "model", api_key: KEY }, config: { type: "custom" } }, /^launch_refused: [^]*config.tasks/],
    ] as const) {
      const answer = await assistant.call("launch_evaluation", input)
      expect([answer.isError, answer.text]).toEqual([true, expect.stringMatching(said)])
      expect(answer.text).not.toContain(KEY)
    }
    const missing = await assistant.call("job_status", { job: "eval-none" })
    expect([missing.isError, missing.text]).toEqual([
      true,
      expect.stringMatching(/^not_found: .*eval-none.*\nWhat to do: /),
    ])
  },
)

it("A message and an answer are checked with a guardrail", verifies("mcp.guardrail"), async () => {
  const checked = await assistant.call("check_message", { guardrail: "g", message: "Hello" })
  expect(checked.json).toMatchObject({ status: "success", rails: [{ status: "success" }] })
  const unsafe = await assistant.call("check_message", {
    guardrail: "default/g",
    message: "Hello",
    answer: "unsafe weapons",
  })
  expect(unsafe.json.rails.length).toBeGreaterThan(0)
  expect((await assistant.call("check_message", { guardrail: "none", message: "Hello" })).text).toMatch(
    /^unknown_guardrail: /,
  )
})

it("Answers of large rows are cut, and say where to continue", verifies("mcp.bounded"), async () => {
  const all: number[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const answer: Awaited<ReturnType<Assistant["call"]>> = await assistant.call("read_rows", {
      fileset: "words",
      path: "long.jsonl",
      offset,
      limit: 100,
    })
    expect(answer.text.length).toBeLessThan(45_000)
    all.push(...answer.json.rows.map(({ row_index }: { row_index: number }) => row_index))
    expect(answer.json.notes).toContainEqual(expect.stringMatching(/^Long texts are cut/))
    if (answer.json.next_offset !== null) expect(answer.json.notes[0]).toMatch(/Continue with offset \d+\.$/)
    offset = answer.json.next_offset
  }
  expect(all).toEqual(Array.from({ length: 40 }, (_, at) => at))
  const report = await assistant.call("validate_dataset", { fileset: "words", max_issues: 2 })
  expect(report.json).toMatchObject({ rows: 40 + ROWS, invalid: 20 })
  expect(report.json.files[0]).toMatchObject({
    path: "long.jsonl",
    invalid: 20,
    issues: [{ pointer: "/word" }, {}],
    issues_truncated: true,
  })
})

it(
  "Every tool describes itself, and refuses unknown fields and values out of range",
  verifies("mcp.schemas"),
  async () => {
    const { tools } = await assistant.client.listTools()
    expect(tools.length).toBe(11)
    for (const { name, description = "", inputSchema, outputSchema, annotations } of tools) {
      expect([name, inputSchema["additionalProperties"], outputSchema?.type]).toEqual([name, false, "object"])
      expect(description.length).toBeGreaterThan(60)
      expect(annotations).toMatchObject({ readOnlyHint: name !== "launch_evaluation", destructiveHint: false })
      const numbers = Object.values(inputSchema.properties ?? {}).filter(
        (field) => (field as { type?: string }).type === "integer",
      )
      // Assistants leave out what has a default.
      const fields = inputSchema.properties as Readonly<Record<string, object>> | undefined
      const needed = (inputSchema.required ?? []).filter((field) => "default" in (fields?.[field] ?? {}))
      expect([name, needed]).toEqual([name, []])
      for (const field of numbers)
        expect(field).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) })
    }
    for (const input of [{ page: 0 }, { page_size: 101 }, { pages: 1 }, { purpose: "x" }]) {
      const { isError, text } = await assistant.call("list_filesets", input)
      expect([isError, text]).toEqual([true, expect.stringContaining(Object.keys(input)[0] ?? "")])
    }
  },
)

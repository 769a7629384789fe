import type { LabelQueue, LabelsBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { CHECK, endOf, EVALUATION } from "../testing/evaluation-bodies.ts"
import { type Call, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const ROWS = 300
/** The judge says yes to 60 % of the rows, and is wrong about each tenth. */
const isYes = (row: number) => row % 5 < 3
const truth = (row: number) => (row % 10 === 0 ? !isYes(row) : isYes(row))
const rowsOf = (suffix: string) =>
  Array.from({ length: ROWS }, (_, row) => ({
    answer: isYes(row) ? "yes" : "no",
    expected: "yes",
    text: `${row}${suffix}`,
  }))

let server: TestServer
let tokens: ReadonlyMap<string, string>
let job: string
beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens" })
  tokens = await createTokens(server, {
    editor: [{ workspace: "default", role: "editor" }],
    viewer: [{ workspace: "default", role: "viewer" }],
    stranger: [],
  })
  job = await launch(rowsOf(""))
})
afterAll(() => server[Symbol.asyncDispose]())

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}` } })

async function launch(rows: readonly object[]): Promise<string> {
  const json = { target: { type: "rows", rows }, config: CHECK }
  const { id } = (await as("editor", "POST", `${JOBS}?skip_validation_checks=1`, { json })).json
  await endOf(server, id, { authorization: `Bearer ${tokens.get("editor")}` })
  return id
}

const next = async (query: string): Promise<LabelQueue> =>
  (await as("viewer", "GET", `${JOBS}/${job}/labels/next?metric=accuracy${query}`)).json
const report = async (id: string, query = "") =>
  (await as("viewer", "GET", `${JOBS}/${id}/labels/report?metric=accuracy${query}`)).json
const put = (body: LabelsBody, who = "editor", id = job) => as(who, "PUT", `${JOBS}/${id}/labels`, { json: body })

/** Labels rows of the queue as they are. */
function labelled({ data, draw }: LabelQueue, labelOf = (row: number) => Number(truth(row))): LabelsBody["labels"] {
  return data.map(({ task, row_index, repeat }) => {
    return { task, row_index, repeat, metric: "accuracy", label: labelOf(row_index), draw }
  })
}

it(
  "40 writers of labels at the same time all succeed, and no label is lost",
  verifies("eval.labels.queue"),
  async () => {
    const drawn = labelled(await next("&limit=40&fileset=crowded"))
    const answers = await Promise.all(drawn.map((label) => put({ labels: [label], fileset: "crowded" })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await next("&limit=1&fileset=crowded")).labelled).toBe(40)
  },
)

it("Rows to label are drawn at random by a seed, and never twice", verifies("eval.labels.queue"), async () => {
  const first = await next("&limit=50&fileset=queue")
  expect(first).toMatchObject({
    metric: "accuracy.string-check",
    candidates: ROWS,
    labelled: 0,
    fileset: "default/queue",
  })
  expect(first.data).toHaveLength(50)
  const numbers = first.data.map(({ row_index }) => row_index)
  expect((await next("&limit=50&fileset=queue")).data.map(({ row_index }) => row_index)).toEqual(numbers)
  expect((await next("&limit=50&seed=2&fileset=queue")).data.map(({ row_index }) => row_index)).not.toEqual(numbers)
  expect(new Set(first.data.map(({ probability }) => probability))).toEqual(new Set([1]))
  await put({ labels: labelled(first).slice(0, 30), fileset: "queue" })
  const second = await next("&limit=20&fileset=queue")
  expect(second.labelled).toBe(30)
  expect(second.data.map(({ row_index }) => row_index)).toEqual(numbers.slice(30))
})

it(
  "A judge's mean is corrected by labels of drawn rows, and equal outputs of a later job have them already",
  verifies("eval.labels.report", "eval.labels.kept"),
  async () => {
    const before = await report(job, "&fileset=corrected")
    expect(before).toMatchObject({ labels: 0, people: null, corrected: null, judge: { mean: 0.6 } })
    expect(before.notes[0]).toMatch(/not validated/)
    const { status, json } = await put({
      labels: labelled(await next("&limit=150")),
      fileset: "corrected",
      author: "ann",
    })
    expect([status, json]).toEqual([200, { fileset: "default/corrected", added: 150, total: 150 }])
    const found = await report(job, "&fileset=corrected")
    expect(found).toMatchObject({
      rows: ROWS,
      labels: 150,
      picked: 0,
      elsewhere: 0,
      left_open: 0,
      // It takes 385, and there are fewer rows.
      labels_needed: null,
    })
    // 10 % of all rows are yes for the judge and no in truth.
    expect(found.corrected.interval.low).toBeLessThan(0.5)
    expect(found.corrected.interval.high).toBeGreaterThan(0.5)
    expect(found.judge.interval.low).toBeGreaterThan(0.5)
    expect(found.worth).toBeGreaterThan(170)
    expect(found.verdict.specificity.rate).toBeLessThan(0.9)
    expect(found.verdict.sensitivity.rate).toBe(1)
    expect(Math.abs(found.verdict.corrected.mean - 0.5)).toBeLessThan(0.06)
    const again = await launch(rowsOf("").toReversed())
    const { job: _job, judge: _judge, ...same } = await report(again, "&fileset=corrected")
    const { job: _first, judge: _before, ...expected } = found
    expect(same).toEqual(expected)
    const other = await report(await launch(rowsOf("!")), "&fileset=corrected")
    expect(other).toMatchObject({ labels: 0, elsewhere: 150 })
  },
)

it(
  "Labels of picked rows are kept and not used, and the last label of each author counts",
  verifies("eval.labels.kept"),
  async () => {
    const fileset = "authors"
    const label = { task: "qa", row_index: 0, repeat: 0, metric: "accuracy" }
    await put({ labels: [{ ...label, label: 1, note: "looks right" }], fileset, author: "ann" })
    expect(await report(job, `&fileset=${fileset}`)).toMatchObject({ labels: 0, picked: 1 })
    const { draw } = await next(`&limit=1&seed=1&fileset=${fileset}`)
    await put({ labels: [{ ...label, label: 0, draw }], fileset, author: "ann" })
    await put({ labels: [{ ...label, label: 1, probability: 1 }], fileset, author: "bob" })
    expect(await report(job, `&fileset=${fileset}`)).toMatchObject({ labels: 1, picked: 0, people: { mean: 0.5 } })
    const { data } = (await as("viewer", "GET", `${JOBS}/${job}/labels?metric=accuracy&fileset=${fileset}`)).json
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({
      metric: "accuracy.string-check",
      author: "ann",
      note: "looks right",
      probability: null,
      job,
    })
  },
)

it("Labels that are added at the same time are all kept", verifies("eval.labels.kept"), async () => {
  const bodies = [0, 1, 2, 3, 4, 5].map((row_index) => ({
    labels: [{ task: "qa", row_index, repeat: 0, metric: "accuracy", label: 1 }],
    fileset: "together",
  }))
  const answers = await Promise.all(bodies.map((body) => put(body)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const { data } = (await as("viewer", "GET", `${JOBS}/${job}/labels?metric=accuracy&fileset=together`)).json
  expect(data.map(({ row_index }: { row_index: number }) => row_index).toSorted()).toEqual([0, 1, 2, 3, 4, 5])
})

it(
  "Labels for missing rows, damaged files and callers without rights are refused, and nothing is kept",
  verifies("eval.labels.refused"),
  async () => {
    const good = { task: "qa", row_index: 0, repeat: 0, metric: "accuracy", label: 1 }
    const gone = await put({ labels: [good, { ...good, row_index: ROWS }], fileset: "refused" })
    expect([gone.status, gone.json.message ?? gone.json.detail]).toEqual([404, expect.stringContaining(`row ${ROWS}`)])
    expect((await put({ labels: [{ ...good, metric: "absent" }], fileset: "refused" })).status).toBe(422)
    expect((await put({ labels: [good], fileset: "a/b/c" })).status).toBe(422)
    expect((await put({ labels: [good], fileset: "refused" }, "viewer")).status).toBe(403)
    expect((await put({ labels: [good] }, "stranger")).status).toBe(404)
    expect((await put({ labels: [good], fileset: "hidden/labels" })).status).toBe(404)
    expect((await as("editor", "GET", `${FILES}/default/filesets/refused`)).status).toBe(404)
    await as("editor", "POST", `${FILES}/default/filesets`, { json: { name: "damaged", purpose: "dataset" } })
    await as("editor", "PUT", `${FILES}/default/filesets/damaged/-/labels.jsonl`, { body: '\n{"digest":"x"}\n' })
    const damaged = await put({ labels: [good], fileset: "damaged" })
    expect(damaged.status).toBe(422)
    expect(JSON.stringify(damaged.json)).toContain("default/damaged#labels.jsonl:2 is not a label")
  },
)

it(
  "A label that is not on the scale is refused with the scale, in a body and in a file",
  verifies("labels.range"),
  async () => {
    const good = { task: "qa", row_index: 0, repeat: 0, metric: "accuracy", label: 1 }
    for (const label of [100, -1, 1.000001, 1e308, -1e308, 2 ** 53]) {
      const { status, text } = await put({ labels: [{ ...good, label }], fileset: "range" })
      expect([label, status, text]).toEqual([label, 422, expect.stringMatching(/from 0 to 1|1000000000000/)])
    }
    expect((await as("editor", "GET", `${FILES}/default/filesets/range`)).status).toBe(404)
    await as("editor", "POST", `${FILES}/default/filesets`, { json: { name: "edited", purpose: "dataset" } })
    await put({ labels: labelled(await next("&limit=20&fileset=edited")), fileset: "edited" })
    const file = `${FILES}/default/filesets/edited/-/labels.jsonl`
    const { text } = await as("editor", "GET", file)
    const lines = text.trim().split("\n")
    for (const [change, message] of [
      [{ label: 100 }, /is 100, and the score has values from 0 to 1/],
      [{ label: 1e308 }, /edited#labels.jsonl:1 is not a label: label/],
      [{ probability: 1e-9 }, /edited#labels.jsonl:1 is not a label: probability/],
      [{ draw: "mine" }, /edited#labels.jsonl:1 is not a label: draw/],
    ] as const) {
      const edited = [JSON.stringify({ ...JSON.parse(lines[0] ?? ""), ...change }), ...lines.slice(1)]
      await as("editor", "PUT", file, { body: `${edited.join("\n")}\n` })
      const { status, text: answer } = await as(
        "viewer",
        "GET",
        `${JOBS}/${job}/labels/report?metric=accuracy&fileset=edited`,
      )
      expect([status, answer]).toEqual([422, expect.stringMatching(message)])
    }
  },
)

it(
  "The server computes the probability of a drawn row, and refuses another one",
  verifies("labels.draws"),
  async () => {
    const drawn = await next("&limit=5&by=uncertainty&seed=3&fileset=drawn")
    expect(drawn.draw).toMatch(/^uncertainty-3-[0-9a-f]{12}$/)
    const [first] = labelled(drawn)
    for (const [change, message] of [
      [{ draw: undefined, probability: 1e-9 }, /0\.2/],
      [{ probability: 4.9 }, /The probability 4\.9 of row \d+ is not the one that its draw has/],
      [{ draw: "mine" }, /draw/],
      [{ draw: "random-99999999999" }, /draw/],
      [{ draw: "uncertainty-3" }, /was not issued for 'accuracy.string-check' of job/],
      [{ draw: drawn.draw.replace("-3-", "-4-") }, /was not issued/],
    ] as const) {
      const { status, text } = await put({ labels: [{ ...first, ...change } as never], fileset: "drawn" })
      expect([status, text]).toEqual([422, expect.stringMatching(message)])
    }
    await put({ labels: labelled(drawn), fileset: "drawn" })
    const { data } = (await as("viewer", "GET", `${JOBS}/${job}/labels?metric=accuracy&fileset=drawn`)).json
    expect(data.map(({ draw, probability }: { draw: string; probability: number }) => [draw, probability])).toEqual(
      drawn.data.map(({ probability }) => [drawn.draw, probability]),
    )
  },
)

it("A report counts the drawn rows that were left without a label", verifies("labels.selective"), async () => {
  const drawn = labelled(await next("&limit=60&seed=5&fileset=selective"))
  // Somebody leaves out the rows that are bad.
  await put({ labels: drawn.filter(({ label }) => label === 1), fileset: "selective" })
  const { left_open: leftOpen, notes } = await report(job, "&fileset=selective")
  expect(leftOpen).toBeGreaterThan(15)
  expect(notes[0]).toContain(`Labels are missing for ${leftOpen} rows of the draw`)
})

/** Launches a job whose metric names labels. */
async function launchWith(labels: string, query = "") {
  const { qa } = CHECK.tasks
  const accuracy = { ...qa.metrics.accuracy, labels }
  const config = { ...CHECK, tasks: { qa: { ...qa, metrics: { accuracy } } } }
  return as("editor", "POST", `${JOBS}${query}`, { json: { target: { type: "rows", rows: rowsOf("") }, config } })
}

it(
  "A metric that names labels has the corrected score in the results of its job",
  verifies("eval.labels.option"),
  async () => {
    await put({ labels: labelled(await next("&limit=100&fileset=option")), fileset: "option", author: "ann" })
    const { status, json } = await launchWith("option")
    expect(status).toBe(201)
    await endOf(server, json.id, { authorization: `Bearer ${tokens.get("editor")}` })
    const results = (await as("viewer", "GET", `${JOBS}/${json.id}/results`)).json
    const { value, corrected } = results.tasks.qa.metrics.accuracy.scores["string-check"]
    const { job: _job, metric: _metric, unsure, agreement, ...expected } = await report(json.id, "&fileset=option")
    expect([value, corrected, unsure, agreement]).toEqual([0.6, expected, 0, null])
    expect(corrected).toMatchObject({ fileset: "default/option", labels: 100, labels_missing: 0 })
  },
)

it("Labels that a job can't read refuse its launch", verifies("eval.labels.option"), async () => {
  await as("editor", "POST", `${FILES}/default/filesets`, { json: { name: "models", purpose: "model" } })
  for (const [labels, message] of [
    ["absent", /There are no labels 'absent'/],
    ["models", /'models' has the purpose 'model'/],
    ["./labels.jsonl", /a place on one machine/],
  ] as const) {
    const { status, json } = await launchWith(labels)
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringMatching(message)])
  }
  // This is checked even without the other checks: a running job has no caller.
  expect((await launchWith("hidden/labels", "?skip_validation_checks=1")).status).toBe(404)
})

it("a score that no row has is reported without a judge's mean", verifies("eval.labels.queue"), async () => {
  const metrics = { number: { type: "number-check", params: { check: ["{{ item.answer }}", "==", "3"] } } }
  const config = { type: "custom", tasks: { t: { type: "data", metrics } } }
  const json = { target: { type: "rows", rows: [{ answer: "none" }, { answer: "nil" }] }, config }
  const { id } = (await as("editor", "POST", `${JOBS}?skip_validation_checks=1`, { json })).json
  const ended = await endOf(server, id, { authorization: `Bearer ${tokens.get("editor")}` })
  expect(ended.status).toBe("FAILED")
  const found = await as("viewer", "GET", `${JOBS}/${id}/labels/report?metric=number.number-check`)
  expect([found.status, found.json]).toEqual([200, expect.objectContaining({ rows: 0, judge: null, corrected: null })])
  // No row would be asked, and none failed.
  const resumed = await as("editor", "POST", `${JOBS}/${id}/resume`)
  expect([resumed.status, resumed.json.detail]).toEqual([409, expect.stringContaining("and none failed")])
})

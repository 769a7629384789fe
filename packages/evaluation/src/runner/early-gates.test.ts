import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationConfigBody, EvaluationRow } from "@assay/schemas"
import type { JobGate } from "@assay/schemas/gates"
import { startFakeInference, type FakeInference } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { describeProgress } from "../jobs/job-progress.ts"
import type { Journal } from "../journal/journal.ts"
import { openFileJournal } from "../journal/open-file-journal.ts"
import { openFolderDatastore } from "../testing/folder-datastore.ts"
import { testEnvironment } from "../testing/test-environment.ts"
import { runEvaluation } from "./run-evaluation.ts"

const GATE: JobGate = { task: "qa", metric: "same", op: ">=", value: 0.8, stop: "early" }
const TEMPLATE = { messages: [{ role: "user", content: "{{ item.word }}" }] }
const ROWS = 2000

let fake: FakeInference
let folder: string
let journal: Journal
beforeAll(async () => {
  // A model that is right about each word that begins with "good".
  const word = (content: unknown) => String(content)
  fake = await startFakeInference({
    models: {
      picky: ({ messages }) => ({ content: word(messages.at(-1)?.content).startsWith("good") ? "yes" : "no" }),
    },
  })
})
afterAll(() => fake.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-early-"))
  journal = await openFileJournal(join(folder, "rows.jsonl"), { sync: false })
})
afterEach(async () => {
  await journal.close()
  await rm(folder, { recursive: true })
})

/** Rows of which this share is answered right. All wrong ones come first, as in a sorted dataset. */
const rowsWith = (share: number) =>
  Array.from({ length: ROWS }, (_, at) => {
    const word = `${at < ROWS * (1 - share) ? "bad" : "good"} ${at}`
    return { word, output: word.startsWith("good") ? "yes" : "no" }
  })

interface Options {
  readonly share?: number
  readonly gates?: readonly JobGate[]
  readonly params?: EvaluationConfigBody["params"]
  /** Whether a model is asked. Otherwise the rows have their answers. */
  readonly isAsked?: boolean
  /** The run is stopped after so many new rows. */
  readonly stopAfter?: number
}

async function run({ share = 0.9, gates = [GATE], params, isAsked = false, stopAfter = Infinity }: Options = {}) {
  const same = { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "yes"] } }
  const task = isAsked
    ? { type: "chat-completion", params: { template: TEMPLATE }, metrics: { same }, dataset: "default/rows" }
    : { type: "data", metrics: { same } }
  const api_endpoint = { url: `${fake.url}/v1`, model_id: "picky" }
  const rows = rowsWith(share)
  await using datastore = await openFolderDatastore()
  await datastore.add("rows", { "rows.jsonl": rows.map((row) => JSON.stringify(row)).join("\n") })
  const stop = new AbortController()
  const added: number[] = []
  const log: string[] = []
  const append = (row: EvaluationRow): void => {
    journal.append(row)
    if (added.push(row.row_index) >= stopAfter) stop.abort()
  }
  const outcome = await runEvaluation(
    {
      id: "eval-1",
      namespace: "default",
      attempt: 1,
      scope: { kind: "run" },
      target: isAsked ? { type: "model", model: { api_endpoint } } : { type: "rows", rows },
      config: { type: "custom", params: { parallelism: 16, gates: [...gates], ...params }, tasks: { qa: task } },
    },
    testEnvironment(datastore),
    {
      journal: { ...journal, append },
      signal: stop.signal,
      filesUrl: null,
      onProgress: () => {},
      onLog: ({ message }) => void log.push(message),
      onConditions: () => {},
    },
  )
  const [gate] = outcome.progress.gates ?? []
  return {
    ...outcome,
    gate,
    added,
    log,
    stats: outcome.result?.tasks["qa"]?.metrics["same"]?.scores["string-check"]?.stats,
  }
}

describe("a job with an early gate", () => {
  it("ends as soon as the gate is decided, although the dataset is sorted", async () => {
    const { status, message, progress, gate, stats, added } = await run()
    expect(status).toBe("COMPLETED")
    expect(message).toMatch(/^PASS after \d+ of 2,000 rows; 9\d\.\d % of the calls saved\.$/)
    expect(gate).toMatchObject({
      name: "qa.same.string-check",
      limit: ">= 0.8",
      verdict: "PASS",
      stop: "early",
      alpha: 0.05,
    })
    expect(gate?.decided_after).toBe(added.length)
    expect(progress.stoppedEarly).toEqual({ rows: added.length, rows_total: ROWS, order_seed: expect.any(Number) })
    expect(stats).toMatchObject({ skipped: ROWS - added.length, interval: { method: "betting", confidence: 0.95 } })
    expect(stats?.interval?.low).toBeGreaterThanOrEqual(0.8)
    expect(describeProgress(progress)).toMatchObject({ gates: [gate], stopped_early: progress.stoppedEarly })
  })

  it("asks each row that it begins once, and counts it", async () => {
    const before = fake.requests.length
    const { progress, added } = await run({ isAsked: true, share: 0.5 })
    expect(fake.requests).toHaveLength(before + added.length)
    expect(new Set(added).size).toBe(added.length)
    expect(progress.processed).toBe(added.length)
    expect(progress.gates).toMatchObject([{ verdict: "FAIL" }])
    expect(added.length).toBeLessThan(200)
  })

  it("asks no row again after it was stopped, and decides as if it had not been", async () => {
    const whole = await run({ isAsked: true, share: 0.85 })
    await journal.close()
    journal = await openFileJournal(join(folder, "other.jsonl"), { sync: false })
    const first = await run({ isAsked: true, share: 0.85, stopAfter: 40 })
    expect([first.status, first.gate?.verdict]).toEqual(["CANCELLED", "INCONCLUSIVE"])
    const second = await run({ isAsked: true, share: 0.85 })
    expect(second.added.filter((row) => first.added.includes(row))).toEqual([])
    expect(second.gate?.decided_after).toBe(whole.gate?.decided_after)
    const third = await run({ isAsked: true, share: 0.85 })
    expect([third.added, third.gate, third.message]).toEqual([[], second.gate, second.message])
  })

  it("asks all rows if another gate of the task needs them", async () => {
    const fixed: JobGate = { ...GATE, value: 0.5, stop: "never" }
    const { message, progress, stats } = await run({ gates: [GATE, fixed] })
    expect(message).toBe("2,000 rows done.")
    expect(progress.gates).toMatchObject([
      { limit: ">= 0.8", verdict: "PASS", decided_after: null },
      { limit: ">= 0.5", verdict: "PASS", stop: "never" },
    ])
    expect(stats?.interval?.method).toBe("wilson")
  })

  it("asks all rows if a value is out of the range of the gate, and says so", async () => {
    const { progress, log, stats } = await run({ gates: [{ ...GATE, value: 0.4, range: [0, 0.5] }] })
    expect(progress.gates).toMatchObject([{ verdict: "PASS", stop: "never" }])
    expect([progress.processed, stats?.interval?.method]).toEqual([ROWS, "wilson"])
    expect(log.join()).toContain("A value of qa.same.string-check is not within [0, 0.5]")
  })

  it("shares the probability of a wrong verdict among its early gates", async () => {
    const { progress, message } = await run({ gates: [GATE, { ...GATE, op: "<=", value: 0.95, alpha: 0.1 }] })
    expect(progress.gates).toMatchObject([
      { alpha: 0.025, verdict: "PASS" },
      { alpha: 0.05, limit: "<= 0.95", verdict: "PASS" },
    ])
    expect(message).toMatch(/^PASS after/)
  })

  it("averages the repeats of a row, and counts rows", async () => {
    const { progress } = await run({ params: { repeats: 3 } })
    expect(progress.processed).toBe(3 * (progress.stoppedEarly?.rows ?? 0))
    expect(progress.stoppedEarly?.rows_total).toBe(ROWS)
  })

  it("fails if too many of the rows failed that it asked", async () => {
    fake.faults.add({ times: 40, fault: { kind: "condition", condition: "context-overflow" } })
    const { status, message } = await run({ isAsked: true, share: 1, params: { max_retries: 0 } })
    expect(status).toBe("FAILED")
    expect(message).toMatch(/^40 of the \d+ rows of task "qa" failed/)
  })
})

it.each<readonly [Partial<JobGate>, string]>([
  [{ task: "qb" }, "config.params.gates.0.task: 'qb' is not a task of this configuration; there is qa."],
  [{ metric: "sam" }, "config.params.gates.0.metric: task 'qa' has no metric 'sam'; there is same."],
  [{ score: "x" }, "config.params.gates.0.score: 'x' is not a score of metric 'same'; there is string-check."],
  [
    { value: 80 },
    'config.params.gates.0.value: 80 is not within [0, 1]; give the lowest and the highest value of a row as "range".',
  ],
  [{ range: [1, 0] }, "config.params.gates.0.range: [1, 0] is not a range; give the lowest value first."],
  [
    { stop: "never", alpha: 0.1 },
    'config.params.gates.0.alpha: 0.1 is only possible with "stop": "early"; other gates have 0.05.',
  ],
])("A job is not run with a gate that has %j", async (part, message) => {
  expect(await run({ gates: [{ ...GATE, ...part }] })).toMatchObject({ status: "FAILED", message, added: [] })
})

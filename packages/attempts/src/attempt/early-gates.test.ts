import { describeProgress } from "./job-progress.ts"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationConfigBody, EvaluationRow, JobGate } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type JobEnvironment, type Journal, openFileJournal } from "@assay/evaluation"
import { openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
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
  readonly openBaseline?: JobEnvironment["openBaseline"]
  /** Number of new rows after which the run is stopped. */
  readonly stopAfter?: number
}

async function run(options: Options = {}) {
  const { share = 0.9, gates = [GATE], params, isAsked = false, openBaseline, stopAfter = Infinity } = options
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
    { ...testEnvironment(datastore), openBaseline },
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
    slices: outcome.result?.tasks["qa"]?.metrics["same"]?.scores["string-check"]?.slices,
  }
}

describe("a job with an early gate", () => {
  it("has slices without intervals and marks, which are not valid when a gate has ended it", async () => {
    const { slices } = await run({ params: { slices: ["output"] } })
    const bare = { interval: null, p: null, p_adjusted: null, is_marked: false }
    expect(slices).toMatchObject([{ column: "output", values: 2, worst: null }])
    expect(slices?.[0]?.groups).toMatchObject([
      { name: "yes", value: 1, interval: null, difference: { value: 1, ...bare } },
      { name: "no", value: 0, interval: null, difference: { value: -1, ...bare } },
    ])
  })

  it("ends as soon as the gate is decided, although the dataset is sorted", verifies("gates.ends"), async () => {
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

  it(
    "asks no row again after it was stopped, and decides as if it had not been",
    verifies("gates.resumed"),
    async () => {
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
    },
  )

  it("asks all rows if another gate of the task needs them", async () => {
    const fixed: JobGate = { ...GATE, value: 0.5, stop: "never" }
    const { message, progress, stats } = await run({ gates: [GATE, fixed] })
    expect(message).toBe(
      `2,000 rows done. All rows were asked: the gate 'qa.same.string-check >= 0.5' has no "stop": "early".`,
    )
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

  it("shares the probability of a wrong verdict among its early gates", verifies("gates.shared-alpha"), async () => {
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
    expect(message).toMatch(/^Ended when 40 of the \d+ rows of task "qa" had failed/)
  })
})

describe("a gate against other results", () => {
  const AGAINST: JobGate = { task: "qa", metric: "same", against: "nightly", stop: "early" }
  /** Runs all rows of which nine in ten are right, and returns their results after this change of scores. */
  async function baselineWith(change: (score: number, row: number) => number) {
    const { result } = await run({ gates: [] })
    if (result === null) throw new Error("There is no result.")
    const known = (await Array.fromAsync(journal.read())).flat()
    await journal.close()
    journal = await openFileJournal(join(folder, "other.jsonl"), { sync: false })
    const rows = known.map((row) => {
      const score = change(Number(row.scores["same"]?.["string-check"]), row.row_index)
      return { ...row, scores: { same: { "string-check": score } } }
    })
    return async (name: string) => ({
      id: "eval-0",
      name,
      result,
      async *rows() {
        yield rows
      },
    })
  }

  it("passes early if the model is better, whatever the margin", verifies("gates.against"), async () => {
    const openBaseline = await baselineWith((score, row) => (row % 5 === 4 ? 0 : score))
    const { gate, added, message, stats } = await run({ openBaseline, gates: [AGAINST] })
    expect(gate).toMatchObject({ name: "qa.same.string-check gain over nightly", limit: ">= 0", verdict: "PASS" })
    expect(gate?.value).toBeGreaterThan(0.1)
    expect(gate?.low).toBeGreaterThanOrEqual(0)
    expect(added.length).toBeLessThan(400)
    expect(message).toMatch(/^PASS after/)
    expect([Number(stats?.mean).toFixed(1), stats?.interval?.method]).toEqual(["0.9", "betting"])
  })

  it("fails early if it is worse by more than the margin", verifies("gates.against"), async () => {
    const openBaseline = await baselineWith(() => 1)
    const gates = [{ ...AGAINST, margin: 0.02 }]
    const { gate, added } = await run({ openBaseline, gates })
    expect(gate).toMatchObject({ limit: ">= -0.02", verdict: "FAIL" })
    expect(gate?.value).toBeLessThan(-0.05)
    expect(added.length).toBeLessThan(1500)
  })

  it("passes early with a margin if nothing has changed, and without one after all rows", async () => {
    const openBaseline = await baselineWith((score) => score)
    const { added, gate } = await run({ openBaseline, gates: [{ ...AGAINST, margin: 0.05 }] })
    expect(gate).toMatchObject({ verdict: "PASS", value: 0 })
    expect(added.length).toBeLessThan(500)
    expect(await run({ openBaseline, gates: [AGAINST] })).toMatchObject({
      gate: { verdict: "PASS", value: 0 },
      progress: { processed: ROWS },
    })
  })

  it("leaves out rows that ask something else there", async () => {
    const openBaseline = await baselineWith((score, row) => (row % 2 === 0 ? score : 0))
    const halved = async (name: string) => {
      const baseline = await openBaseline(name)
      const change = (row: EvaluationRow) => (row.row_index % 2 === 0 ? row : { ...row, item: { word: "other" } })
      return {
        ...baseline,
        async *rows() {
          for await (const rows of baseline.rows()) yield rows.map(change)
        },
      }
    }
    const { gate } = await run({ openBaseline: halved, gates: [AGAINST] })
    expect(gate).toMatchObject({ verdict: "PASS", value: 0, decided_after: ROWS / 2 })
  })

  it("has no verdict on a score that measures something else there", verifies("eval.compare.changed"), async () => {
    const openBaseline = await baselineWith((score) => score)
    const other = async (name: string) => {
      const baseline = await openBaseline(name)
      // An older version computed the results, without identities.
      return {
        ...baseline,
        result: { ...baseline.result, tasks: {} },
        config: { type: "custom" as const, tasks: { qa: { metrics: { same: { type: "em" } } } } },
      }
    }
    const { status, gate, progress } = await run({ openBaseline: other, gates: [AGAINST] })
    expect([status, progress.processed]).toEqual(["COMPLETED", ROWS])
    expect(gate).toMatchObject({ verdict: null, identity: { changed: ["type", "params"] } })
    expect(gate?.reason).toContain("measures something else in 'nightly' (type, params)")
  })

  it("can't be compared with results that lack its score", async () => {
    const openBaseline = await baselineWith((score) => score)
    const other = async (name: string) => ({ ...(await openBaseline(name)), async *rows() {} })
    const { status, message } = await run({ openBaseline: other, gates: [AGAINST] })
    expect([status, message]).toEqual([
      "FAILED",
      "The gate on 'qa.same.string-check gain over nightly' can't be compared: 'nightly' has no row with 'qa.same.string-check' (it has no rows).",
    ])
  })
})

import { describeProgress } from "./job-progress.ts"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { JobBudget, PriceTable } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type JobEnvironment, type Journal, openFileJournal, type RunnableJob } from "@assay/evaluation"
import { openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
import { runEvaluation } from "./run-evaluation.ts"

const ROWS = 40
const PRICES: PriceTable = {
  currency: "EUR",
  models: [{ model: "echo", prompt_price: 1_000_000, completion_price: 0 }],
}

let fake: FakeInference
let folder: string
let journal: Journal
beforeAll(async () => {
  fake = await startFakeInference()
})
afterAll(() => fake.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-budget-"))
  journal = await openFileJournal(join(folder, "rows.jsonl"), { sync: false })
})
afterEach(async () => {
  fake.faults.clear()
  await journal.close()
  await rm(folder, { recursive: true })
})

/** Asks 40 rows of two words: two tokens of prompt and two of answer each. */
async function run(
  budget: JobBudget,
  over: Partial<JobEnvironment> = {},
  parallelism = 4,
  attempt: Pick<RunnableJob, "attempt" | "scope"> = { attempt: 1, scope: { kind: "run" } },
) {
  await using datastore = await openFolderDatastore()
  const rows = Array.from({ length: ROWS }, (_, at) => JSON.stringify({ word: `word ${at}` }))
  await datastore.add("rows", { "rows.jsonl": rows.join("\n") })
  const same = { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "{{ item.word }}"] } }
  const template = { messages: [{ role: "user", content: "{{ item.word }}" }] }
  const task = { type: "chat-completion", params: { template }, metrics: { same }, dataset: "default/rows" }
  const api_endpoint = { url: `${fake.url}/v1`, model_id: "echo" }
  const outcome = await runEvaluation(
    {
      id: "eval-1",
      namespace: "default",
      ...attempt,
      target: { type: "model", model: { api_endpoint } },
      config: { type: "custom", params: { parallelism, budget }, tasks: { qa: task } },
    },
    testEnvironment(datastore, over),
    {
      journal,
      signal: new AbortController().signal,
      filesUrl: null,
      onProgress: () => {},
      onLog: () => {},
      onConditions: () => {},
    },
  )
  const { status, message, progress, result } = outcome
  const stats = result?.tasks["qa"]?.metrics["same"]?.scores["string-check"]?.stats
  return { status, message, details: describeProgress(progress), stats }
}

describe("a job with a budget", () => {
  it("asks exactly as many rows as it may, in all attempts together", verifies("budgets.exact"), async () => {
    const before = fake.requests.length
    const first = await run({ max_requests: 10 })
    expect([first.status, first.message]).toEqual(["COMPLETED", "Ended by max_requests after 10 of 40 rows."])
    expect(first.details).toMatchObject({ budget_exhausted: "max_requests", task_status: { qa: "pending" } })
    const asked = fake.requests.slice(before).map(({ chat }) => chat?.messages[0]?.content)
    // In random order: ten of the first twelve have a probability of one in ten million.
    expect(asked.filter((word) => Number(String(word).slice(5)) < 12).length).toBeLessThan(10)
    expect(first.stats).toMatchObject({ scored: 10, skipped: 30, interval: { method: "wilson" } })
    const second = await run({ max_requests: 15 })
    expect([second.details.samples_processed, fake.requests.length - before]).toEqual([15, 15])
  })

  it("counts the requests of rows that failed and are asked again", verifies("budgets.exact"), async () => {
    const before = fake.requests.length
    const sent = () => fake.requests.length - before
    const retry = (attempt: number) => ({ attempt, scope: { kind: "retry-failed" } }) as const
    fake.faults.add({ fault: { kind: "answer", status: 422, body: {} }, times: 3 })
    const first = await run({ max_requests: 10 })
    expect([first.details.samples_failed, sent()]).toEqual([3, 10])
    const none = await run({ max_requests: 10 }, {}, 4, retry(2))
    expect([none.details.budget_exhausted, sent()]).toEqual(["max_requests", 10])
    const more = await run({ max_requests: 15 }, {}, 4, retry(3))
    expect([more.details.budget_exhausted, more.details.samples_failed, sent()]).toEqual(["max_requests", 0, 15])
    const all = await run({ max_requests: 20 }, {}, 4, retry(3))
    expect([all.details.budget_exhausted, sent()]).toEqual(["max_requests", 20])
  })

  it("is whole if its last row is the last one that it may ask", async () => {
    const { message, details } = await run({ max_requests: ROWS })
    expect([message, details.budget_exhausted]).toEqual(["40 rows done.", undefined])
  })

  it("ends by tokens or cost with at most the rows more that were in flight", async () => {
    const byTokens = await run({ max_tokens: 40 })
    expect(byTokens.message).toMatch(/^Ended by max_tokens after 1[0-3] of 40 rows\.$/)
    await rm(join(folder, "rows.jsonl"))
    await journal.close()
    journal = await openFileJournal(join(folder, "other.jsonl"), { sync: false })
    // Two tokens of prompt for each row, at one euro each.
    const byCost = await run({ max_cost: 30 }, { prices: PRICES }, 1)
    expect(byCost.message).toBe("Ended by max_cost after 15 of 40 rows.")
  })

  const answerWith = (usage: unknown) => {
    const body = { choices: [{ message: { content: "word" }, finish_reason: "stop" }], usage }
    fake.faults.add({ fault: { kind: "answer", status: 200, body } })
  }

  it.each([
    undefined,
    null,
    {},
    { total_tokens: "10" },
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    { total_tokens: -5 },
  ])(
    "fails if its tokens are limited and the endpoint does not count them: %j",
    verifies("budgets.uncountable"),
    async (usage) => {
      answerWith(usage)
      const before = fake.requests.length
      const { status, message, details } = await run({ max_tokens: 30 }, { prices: PRICES })
      expect([status, message]).toEqual([
        "FAILED",
        expect.stringContaining("does not say how many tokens its answers take"),
      ])
      expect(fake.requests.length - before).toBeLessThanOrEqual(4)
      expect([details.tokens, details.cost]).toEqual([
        { prompt: null, completion: null, total: null, uncounted: details.samples_processed },
        null,
      ])
    },
  )

  it(
    "ends by tokens that the endpoint gives only as a sum, and has no cost then",
    verifies("budgets.uncountable"),
    async () => {
      answerWith({ total_tokens: 10 })
      const byTokens = await run({ max_tokens: 30 }, { prices: PRICES }, 1)
      expect(byTokens.message).toBe("Ended by max_tokens after 3 of 40 rows.")
      const { tokens, cost } = byTokens.details
      expect([tokens, cost]).toEqual([{ prompt: null, completion: null, total: 30, uncounted: 0 }, null])
      await rm(join(folder, "rows.jsonl"))
      await journal.close()
      journal = await openFileJournal(join(folder, "other.jsonl"), { sync: false })
      const byCost = await run({ max_cost: 30 }, { prices: PRICES }, 1)
      expect([byCost.status, byCost.message]).toEqual(["FAILED", expect.stringContaining("tokens of each kind")])
      expect(byCost.details.samples_processed).toBe(1)
    },
  )

  it("never gets anything back from negative tokens", verifies("budgets.uncountable"), async () => {
    answerWith({ prompt_tokens: -7, completion_tokens: -3, total_tokens: 10 })
    expect((await run({ max_tokens: 30 }, {}, 1)).message).toBe("Ended by max_tokens after 3 of 40 rows.")
  })

  it("asks nothing if its cost is limited and the price is not known, instead of taking it for 0", async () => {
    const before = fake.requests.length
    const prices = { ...PRICES, models: [] }
    for (const over of [{}, { prices }]) {
      const { status, message } = await run({ max_cost: 30 }, over)
      expect(status).toBe("FAILED")
      expect(message).toContain("the price of the model is not known")
    }
    expect(fake.requests.length).toBe(before)
  })

  it("does not end when the clock of the machine is set ahead, or back", verifies("budgets.time"), async () => {
    for (const step of [3_600_000, -3_600_000]) {
      let time = Date.now()
      const sleep = (ms: number, signal?: AbortSignal) => wait(ms, undefined, signal === undefined ? {} : { signal })
      const { status, message } = await run({ max_duration: 60 }, { sleep, now: () => (time += step) })
      expect([status, message]).toEqual(["COMPLETED", expect.not.stringContaining("max_duration")])
      await journal.close()
      journal = await openFileJournal(join(folder, `rows${step}.jsonl`), { sync: false })
    }
  })

  it("ends in time although rows in flight hang", verifies("budgets.time"), async () => {
    fake.faults.add({ fault: { kind: "hang" } })
    const sleep = async (ms: number, signal?: AbortSignal) => {
      await wait(Math.min(ms, 200), undefined, signal === undefined ? {} : { signal })
    }
    const { status, message } = await run({ max_duration: 0.2 }, { sleep, now: () => performance.now() })
    expect([status, message]).toEqual(["COMPLETED", "Ended by max_duration after 0 of 40 rows."])
  })
})

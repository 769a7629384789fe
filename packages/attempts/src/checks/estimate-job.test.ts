import type { EvaluationConfigBody, EvaluationJob, EvaluationTargetBody, PriceTable } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { endpointKey } from "@assay/scoring"
import { shapePlan } from "@assay/evaluation"
import type { SeenDataset } from "./check-datasets.ts"
import { estimateJob, type JobEstimateContext } from "./estimate-job.ts"

const ENDPOINT = { url: "http://h/v1", model_id: "chat" }
const TARGET: EvaluationTargetBody = { type: "model", model: { api_endpoint: ENDPOINT } }
const DATASET = { files_url: "assay://datasets/default/set/rows.jsonl" }
const PRICES: PriceTable = {
  currency: "EUR",
  models: [{ model: "cha*", prompt_price: 2, completion_price: 10 }],
}

/** Returns a configuration with 16 characters of prompt for each row. */
function configOf(params: object = {}, metrics: object = {}): EvaluationConfigBody {
  const template = { messages: [{ role: "user", content: "say {{ item.word }}" }] }
  const f1 = { type: "f1", params: { ground_truth: "{{ item.word }}" } }
  const task = {
    type: "chat-completion",
    params: { template, ...params },
    dataset: DATASET,
    metrics: { f1, ...metrics },
  }
  return { type: "custom", tasks: { qa: task } }
}

/** Returns the first rows of a file: each has 25 bytes. */
function seenRows(count: number, size = count * 25): SeenDataset {
  const rows = Array.from({ length: Math.min(count, 20) }, (_, index) => ({
    path: "rows.jsonl",
    row: { row_index: index, line: index + 1, offset: index * 25, row: { word: "twelve chars" }, fault: null },
  }))
  const opened = { paths: ["rows.jsonl"], pin: { files: [{ path: "rows.jsonl", size }] } }
  return { dataset: DATASET, locations: ["config.tasks.qa.dataset"], opened, rows } as unknown as SeenDataset
}

function estimate(config: EvaluationConfigBody, over: Partial<JobEstimateContext> = {}) {
  const speeds = new Map([[endpointKey(ENDPOINT), { firstTokenMs: 400, tokenMs: 20, share: 0.25 }]])
  const environment = { now: () => 0, prices: PRICES }
  return estimateJob(shapePlan(TARGET, config).tasks, {
    seen: [seenRows(10)],
    jobs: [],
    speeds,
    environment,
    ...over,
  })
}

const EARLIER = {
  id: "eval-1",
  target: TARGET,
  config: configOf(),
  status_details: { samples_processed: 55, samples_failed: 5, tokens: { prompt: 500, completion: 1000 } },
  started_at: "2026-11-20T00:00:00.000Z",
  finished_at: "2026-11-20T00:00:10.000Z",
} as unknown as EvaluationJob

it(
  "tokens come from rendered rows and max_tokens, cost from prices, time from a request",
  verifies("launch.estimate"),
  () => {
    const { models, notes, ...known } = estimate(configOf({ max_tokens: 50 }))
    expect(known).toMatchObject({ rows: 10, requests: 10, prompt_tokens: 40, completion_tokens: 500, currency: "EUR" })
    expect(known.cost).toBeCloseTo((40 * 2 + 500 * 10) / 1e6)
    // At best answers of one token, eight at a time; at worst of 50 tokens, four at a time, and twice as slow.
    expect(known.seconds_range?.low).toBeCloseTo((0.5 * 10 * 0.4) / 8)
    expect(known.seconds_range?.high).toBeCloseTo(2 + 0.03 + 2 * 10 * (0.4 + 50 * 0.02) * 0.25)
    expect(models).toMatchObject([{ model: "chat", url: "http://h/v1", requests: 10, prompt_tokens: 40 }])
    expect(notes).toEqual([
      "Prompts: 4 characters are counted as a token, in 10 rendered rows.",
      "Answers of 'chat': max_tokens, which most answers stay below.",
      "Time: measured by short requests; the upper end is for answers as long as said above. Waits for limits of the rate are not counted.",
    ])
  },
)

it("earlier jobs of the same model say how long answers are, and how long they take", () => {
  const earlier = { jobs: [EARLIER] }
  expect(estimate(configOf(), earlier)).toMatchObject({ completion_tokens: 200, seconds_range: { low: 1, high: 6 } })
  expect(estimate(configOf({ max_tokens: 5 }), earlier).completion_tokens).toBe(50)
  const slower = estimate(configOf({ parallelism: 2 }), earlier)
  expect([slower.completion_tokens, slower.seconds_range?.low]).toEqual([200, 0.5 * 2])
  const other = { ...EARLIER, target: { type: "model", model: { api_endpoint: { ...ENDPOINT, model_id: "big" } } } }
  expect(estimate(configOf(), { jobs: [other as EvaluationJob] }).completion_tokens).toBe(null)
})

it("rows that were not all seen are estimated by the sizes of files, within the limits", () => {
  const many = { seen: [seenRows(4000)] }
  expect(estimate(configOf({ repeats: 2, max_tokens: 1 }), many)).toMatchObject({
    rows: null,
    requests: null,
    about_rows: 4000,
    completion_tokens: 8000,
    notes: expect.arrayContaining(["Rows: about, from the sizes of the files and of their first rows."]),
  })
  expect(estimate(configOf({ limit_samples: 300 }), many)).toMatchObject({ about_rows: 300, prompt_tokens: 1200 })
})

const judgeOf = (inference_params: object = {}) => ({
  type: "llm-judge",
  params: {
    model: { api_endpoint: { url: "http://j/v1", model_id: "judge" }, inference_params },
    template: { messages: [{ role: "user", content: "rate {{ sample.output_text }}" }] },
    scores: { q: { type: "int", minimum: 1, maximum: 5, parser: { type: "json", json_path: "q" } } },
  },
})

it("a judge gets prompts with answers as long as those of the target, or those that rows have", () => {
  const [, short] = estimate(configOf({ max_tokens: 50 }, { judge: judgeOf({ max_tokens: 9 }) })).models
  const [, long] = estimate(configOf({ max_tokens: 150 }, { judge: judgeOf({ max_tokens: 9 }) })).models
  expect([short?.requests, short?.completion_tokens]).toEqual([10, 90])
  expect((long?.prompt_tokens ?? 0) - (short?.prompt_tokens ?? 0)).toBe(1000)
  const given = { type: "custom", tasks: { qa: { type: "data", metrics: { judge: judgeOf() } } } } as const
  const rows = [{ output: "x".repeat(400) }, { output: "" }]
  const { tasks } = shapePlan({ type: "rows", rows }, given)
  const context = { seen: [], jobs: [], environment: { now: () => 0 } }
  const { models, notes } = estimateJob(tasks, context)
  // 5 characters of the template, 400 of one answer, and nothing else that depends on the row.
  expect(models[0]?.prompt_tokens).toBeGreaterThanOrEqual(102)
  expect(notes.join(" ")).toContain("Answers of 'judge': max_tokens")
})

it("the precision of the rows is that of the smallest task", () => {
  const { half_width, detectable } = estimate(configOf({}), { seen: [seenRows(10)] })
  // Wilson's interval for 5 of 10 is 0.237 to 0.763. With 9 degrees of freedom, t is 2.262, and 0.883 for a power of 80 %.
  expect(half_width).toBeCloseTo(0.2634, 3)
  expect(detectable).toBeCloseTo((2.262 + 0.883) * Math.sqrt(0.2 / 10), 2)
  expect(estimate(configOf({}), { seen: [] })).toMatchObject({ half_width: null, detectable: null })
  // Three rows would find 1.4, and shares differ by at most 1.
  expect(estimate(configOf({}), { seen: [seenRows(3)] })).toMatchObject({ detectable: null })
})

it("what is not known is null, and a note says what to do", verifies("launch.estimate"), () => {
  const judge = judgeOf()
  const judged = estimate(configOf({}, { judge }))
  expect(judged).toMatchObject({ requests: 20, prompt_tokens: null, cost: null, seconds: null })
  expect(judged.models).toMatchObject([
    { model: "chat", prompt_tokens: 40, completion_tokens: null },
    { model: "judge", cost: null },
  ])
  expect(judged.notes.join(" ")).toMatch(
    /Tokens of 'judge' are not known[^]*'judge' is not known: give it prompt_price/u,
  )
  const prices = { ...PRICES, models: [] }
  expect(estimate(configOf({ max_tokens: 1 }), { environment: { now: () => 0, prices } }).cost).toBe(null)
  const free = estimate(configOf(), { environment: { now: () => 0 } })
  expect([free.cost, free.currency, free.notes.at(-1)]).toEqual([
    null,
    null,
    expect.stringContaining("ASSAY_PRICES_FILE"),
  ])
  expect(estimate(configOf()).notes.join(" ")).toContain("set max_tokens, or run a few rows first")
})

it("the time is at least that of the rate of the job", () => {
  expect(estimate(configOf({ max_tokens: 50 }), { rate: 0.5 }).seconds_range).toEqual({ low: 20, high: 22.03 })
  const ofEarlier = estimate(configOf(), { rate: 0.1, jobs: [EARLIER] })
  expect(ofEarlier.seconds_range).toEqual({ low: 100, high: 102 })
})

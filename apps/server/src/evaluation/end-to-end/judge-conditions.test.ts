import type { ConditionCode } from "@assay/schemas"
import { createFakeModels, type FakeInference, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { explainedJob } from "../../testing/explained-job.ts"
import { startTestServer, type TestServer } from "../../testing/start-test-server.ts"

/** Judges with different faults. */
const JUDGES: Readonly<Record<string, FakeModel>> = {
  thinker: () => ({ content: "", reasoning: "First of all, let me think.", finish_reason: "length" }),
  refuser: () => ({ content: null, refusal: "I can't help with that." }),
  good: () => ({ content: '{"quality": 4}' }),
}

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  let asked = 0
  /** Fails every tenth time. */
  const sometimes: FakeModel = () => ({ content: (asked += 1) % 10 === 0 ? "Hm, hard to say." : '{"quality": 4}' })
  fake = await startFakeInference({ models: { ...createFakeModels(), ...JUDGES, sometimes } })
  server = await startTestServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

/** Returns 40 existing answers that a model judges. */
function judgedBy(model_id: string) {
  const quality = { type: "int", minimum: 1, maximum: 5, parser: { type: "json", json_path: "quality" } }
  const params = {
    model: { api_endpoint: { url: `${fake.url}/v1`, model_id } },
    template: { messages: [{ role: "user", content: "Rate this from 1 to 5 as JSON: {{ item.answer }}" }] },
    scores: { quality },
  }
  return explainedJob(server, {
    target: { type: "rows", rows: Array.from({ length: 40 }, (_, row) => ({ answer: `answer ${row}` })) },
    config: { type: "custom", tasks: { qa: { type: "data", metrics: { judge: { type: "llm-judge", params } } } } },
  })
}

it.each<readonly [string, ConditionCode, RegExp]>([
  ["rambler", "judge_output_unreadable", /larger or instruction-tuned judge/],
  ["thinker", "judge_budget_exhausted", /Raise `max_tokens`/],
  ["refuser", "judge_refused", /made for judging/],
])(
  "A judge like '%s' has the condition %s, and a job without any score of it fails",
  verifies("brief.condition.judge-unreadable", "metrics.nothing-scored"),
  async (model, code, remedy) => {
    const { status, conditions, condition } = await judgedBy(model)
    expect([status, conditions.map((one) => one.code)]).toEqual(["FAILED", [code, "nothing_scored"]])
    expect(condition("nothing_scored").message).toBe("Metric 'judge' of task 'qa' scored none of 40 rows.")
    const found = condition(code)
    expect(found).toMatchObject({ count: 40, remedy: expect.stringMatching(remedy) })
    expect(found.message).toContain("40 of 40 answers of the judge for 'judge' of task 'qa'")
    expect(found.evidence.length).toBeGreaterThan(0)
  },
)

it(
  "A judge with 10 % unreadable answers is reported with examples",
  verifies("condition.unreadable-share"),
  async () => {
    const { condition } = await judgedBy("sometimes")
    expect(condition("judge_output_unreadable")).toMatchObject({ count: 4, message: expect.stringContaining("(10 %)") })
    expect(condition("judge_output_unreadable").evidence[0]).toMatch(/^row \d+ \(no_verdict\): Hm, hard to say\.$/)
  },
)

it("A good judge has no condition", async () => {
  expect((await judgedBy("good")).conditions).toEqual([])
})

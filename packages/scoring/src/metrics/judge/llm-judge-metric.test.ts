import type { MetricConfig } from "@assay/schemas"
import { type FakeChatBody, type FakeChatReply, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it } from "vitest"
import { openMetrics, scoreRows } from "../../testing/score-rows.ts"

let server: FakeInference
afterEach(() => server.close())

const SCORES = {
  quality: { type: "int", minimum: 1, maximum: 5, parser: { type: "json", json_path: "$.quality" } },
  tone: {
    type: "rubric",
    rubric: [
      { label: "kind", value: 1 },
      { label: "rude", value: 0 },
    ],
  },
}

function judge(params: Record<string, unknown> = {}): MetricConfig {
  const template = { messages: [{ role: "user", content: "Rate: {{ sample.output_text }} for {{ item.question }}" }] }
  const model = { api_endpoint: { url: `${server.url}/v1`, model_id: "judge" } }
  return { type: "llm-judge", params: { model, template, scores: SCORES, ...params } }
}

async function judged(
  reply: (body: FakeChatBody) => FakeChatReply,
  metric?: () => MetricConfig,
  personality: "openai" | "vllm" = "openai",
) {
  server = await startFakeInference({ models: { judge: reply }, personality })
  const plan = await openMetrics([{ question: "Why?", response: "Because." }], { judge: metric?.() ?? judge() })
  const labels = plan.metrics[0]?.labels
  const [row] = await scoreRows(plan)
  return { ...row?.outcomes["judge"], ups: labels }
}

describe("the judge of llm-judge", () => {
  it(
    "gives named scores and the label of a rubric",
    verifies("metric.llm-judge", "brief.evaluation.judge"),
    async () => {
      const outcome = await judged(() => ({ content: 'Sure: {"quality": 4, "tone": "kind"}' }))
      expect(outcome).toMatchObject({
        scores: { quality: 4, tone: 1 },
        labels: { tone: "kind" },
        ups: { tone: ["kind", "rude"] },
      })
      expect(outcome.unreadable).toBeUndefined()
    },
  )

  it("gives scores in JSON with the damage of small models", verifies("metric.llm-judge"), async () => {
    const content = "{'quality': 4, 'reason': 'line one\nline two', 'fair': True, 'tone': 'kind',}"
    expect((await judged(() => ({ content }))).scores).toEqual({ quality: 4, tone: 1 })
  })

  it("is read without its reasoning if its model says how it is marked", verifies("run.reasoning"), async () => {
    const reply = () => ({ content: '<r>{"quality": 1, "tone": "rude"}</r>{"quality": 4, "tone": "kind"}' })
    const model = () => ({ api_endpoint: { url: `${server.url}/v1`, model_id: "judge" } })
    const reasoning = { tags: ["<r>", "</r>"] }
    const outcome = await judged(reply, () => judge({ model: { ...model(), reasoning } }))
    expect(outcome.scores).toEqual({ quality: 4, tone: 1 })
    await server.close()
    const refused = judged(reply, () => judge({ model: { ...model(), adapter_config: { use_system_prompt: true } } }))
    await expect(refused).rejects.toThrow("adapter_config.use_system_prompt")
  })

  it.each(["length", "max_tokens", "MAX_TOKENS"])(
    "that is cut (%s) within a number has no score",
    verifies("verdict.cut-word"),
    async (finish_reason) => {
      const parser = { type: "regex", pattern: "Score: (\\d+)" }
      const scores = { quality: { type: "int", minimum: 1, maximum: 10, parser } }
      const cut = await judged(
        () => ({ content: "Score: 1", finish_reason }),
        () => judge({ scores }),
      )
      expect([cut.scores, cut.unreadable?.reason]).toEqual([{ quality: "NaN" }, "truncated"])
      await server.close()
      const whole = await judged(
        () => ({ content: "Score: 1. It", finish_reason }),
        () => judge({ scores }),
      )
      expect(whole.scores).toEqual({ quality: 1 })
    },
  )

  it(
    "that limits the rate is asked again after a wait, and every row gets its score",
    verifies("inference.rate-limit"),
    async () => {
      let asked = 0
      const outcome = await judged(() =>
        ++asked <= 15
          ? { fault: { kind: "condition", condition: "rate-limited", retryAfter: 1 } }
          : { content: '{"quality": 4, "tone": "kind"}' },
      )
      expect(outcome.scores).toEqual({ quality: 4, tone: 1 })
      expect(server.requests).toHaveLength(16)
    },
  )

  it("is asked at temperature 0 with a JSON schema of its scores", verifies("metric.llm-judge"), async () => {
    await judged(() => ({ content: '{"quality": 4, "tone": "kind"}' }))
    const sent = JSON.parse(server.requests[0]?.body ?? "{}") as Record<string, unknown>
    expect(sent).toMatchObject({
      temperature: 0,
      max_tokens: 1024,
      messages: [{ role: "user", content: "Rate: Because. for Why?" }],
    })
    expect(sent["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: {
        schema: {
          properties: { quality: { type: "integer", minimum: 1, maximum: 5 }, tone: { enum: ["kind", "rude"] } },
          required: ["quality", "tone"],
        },
      },
    })
  })

  it.each<[string, FakeChatReply]>([
    ["no_verdict", { content: "That is hard to say." }],
    ["no_verdict", { content: '{"quality": 9, "tone": "kind"}' }],
    ["no_verdict", { content: '{"quality": 4, "tone": "friendly"}' }],
    ["refusal", { content: "I'm sorry, but I can't help with that." }],
    ["refusal", { content: null, refusal: "I can't assist with that request." }],
    ["no_verdict", { content: '{"quality": true, "tone": "kind"}' }],
    ["contradictory", { content: 'It says {"quality": 5, "tone": "kind"}.\n{"quality": 1, "tone": "kind"}' }],
    ["contradictory", { content: '{"quality": 5, "tone": "kind", "tone": "rude"}' }],
    ["truncated", { content: 'It says {"quality": 5, "tone": "kind"}, but', finish_reason: "length" }],
    ["truncated", { content: '{"quality": ', finish_reason: "length" }],
    ["reasoning_only", { content: null, reasoning: "The user…", finish_reason: "length" }],
    ["reasoning_only", { content: "", finish_reason: "length" }],
    ["refusal", { content: '{"quality": 5, "tone": "kind"}', refusal: "I can't assist with that request." }],
    ["content_filter", { content: "", finish_reason: "content_filter" }],
    ["content_filter", { content: 'It says {"quality": 5, "tone": "kind"}.', finish_reason: "content_filter" }],
    ["content_filter", { content: 'It says {"quality": 5, "tone": "kind"}, but', finish_reason: "SAFETY" }],
    ["empty", { content: "" }],
  ])("whose answer can't be read gives NaN with the reason %s", verifies("metric.llm-judge"), async (reason, reply) => {
    const outcome = await judged(() => reply)
    expect(Object.values(outcome.scores ?? {})).toContain("NaN")
    expect(outcome.unreadable?.reason).toBe(reason)
    expect(outcome.unreadable?.raw).toBe(reply.content ?? reply.refusal ?? "")
  })

  it.each(["openai", "vllm"] as const)(
    "is asked without the parameters that its endpoint refuses in the words of %s",
    verifies("metric.llm-judge"),
    async (personality) => {
      const outcome = await judged(
        (body) => {
          const said = { content: '{"quality": 5, "tone": "rude"}' }
          if ("response_format" in body)
            return { fault: { kind: "condition", condition: "response-format-unsupported" } } as never
          return "max_tokens" in body
            ? ({ fault: { kind: "condition", condition: "parameter-unsupported" } } as never)
            : said
        },
        undefined,
        personality,
      )
      expect(outcome.scores).toEqual({ quality: 5, tone: 0 })
      expect(JSON.parse(server.requests.at(-1)?.body ?? "{}")).toMatchObject({ max_completion_tokens: 1024 })
    },
  )

  it("keeps its schema after a 400 that is about something else", verifies("metric.llm-judge"), async () => {
    server = await startFakeInference({ models: { judge: () => ({ content: '{"quality": 4, "tone": "kind"}' }) } })
    const plan = await openMetrics(
      [
        { question: "a", response: "b" },
        { question: "c", response: "d" },
      ],
      { judge: judge() },
    )
    const body = { error: { message: "The input was refused." } }
    server.faults.add({
      when: ({ chat }) => JSON.stringify(chat).includes("Rate: d"),
      fault: { kind: "answer", status: 400, body },
    })
    await expect(scoreRows(plan)).rejects.toMatchObject({ code: "bad_response" })
    expect(server.requests).toHaveLength(2)
  })

  it(
    "is asked without a schema and with its own parameters if its scores are read by patterns",
    verifies("metric.llm-judge"),
    async () => {
      const scores = { good: { type: "boolean", parser: { type: "regex", pattern: "GOOD: (\\w+)" } } }
      const model = () => ({
        api_endpoint: { url: server.url, model_id: "judge" },
        inference_params: { temperature: 0.5, max_tokens: null },
      })
      const outcome = await judged(
        () => ({ content: "It is fine. GOOD: true" }),
        () => judge({ scores, model: model() }),
      )
      expect(outcome.scores).toEqual({ good: 1 })
      const sent = JSON.parse(server.requests[0]?.body ?? "{}") as Record<string, unknown>
      expect(sent).toMatchObject({ temperature: 0.5 })
      expect(sent).not.toHaveProperty("response_format")
      expect(sent).not.toHaveProperty("max_tokens")
    },
  )

  it("fails the row with the condition of its endpoint", verifies("metric.llm-judge"), async () => {
    const failing = judged(() => ({ fault: { kind: "condition", condition: "unauthorized" } }) as never)
    await expect(failing).rejects.toMatchObject({ code: "inference_unauthorized" })
  })
})

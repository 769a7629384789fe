import { type FakeInference, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it } from "vitest"
import { planOf, scorePlan } from "../testing/plan-of.ts"

type Row = Readonly<Record<string, unknown>>

let server: FakeInference | undefined
afterEach(() => server?.close())

async function scoresOf(type: string, row: Row, judge?: FakeModel, params: Row = {}) {
  if (judge !== undefined) server = await startFakeInference({ models: { judge } })
  const model = { api_endpoint: { url: `${server?.url}/v1`, model_id: "judge" } }
  const own = judge === undefined ? params : { ...params, judge: { model } }
  const plan = await planOf({ type: "rows", rows: [row] }, { type: "agentic", tasks: { agent: { type, params: own } } })
  const [scored] = await scorePlan(plan)
  return scored?.outcomes[type]
}

const prompts = () => server?.requests.map(({ chat }) => String(chat?.messages[0]?.content)) ?? []

const weather = { name: "weather", args: { city: "Rome", unit: "C" } }
const asks = (...calls: readonly object[]) => [
  { role: "user", content: "How warm is it in Rome?" },
  { role: "assistant", content: "", tool_calls: calls },
  { role: "tool", content: "25" },
  { role: "assistant", content: "25 degrees." },
]

describe("tool_call_accuracy", () => {
  it.each<[string, Row[], Row[], number, Row?]>([
    ["the same calls", [weather], [weather], 1],
    ["one of two arguments", [{ name: "weather", args: { city: "Rome", unit: "F" } }], [weather], 0.5],
    ["another tool", [{ name: "time", args: {} }], [weather], 0],
    ["a call too many", [weather, weather], [weather], 0],
    ["another order", [{ name: "a" }, { name: "b" }], [{ name: "b" }, { name: "a" }], 0],
    [
      "another order with strict_order false",
      [{ name: "a" }, { name: "b" }],
      [{ name: "b" }, { name: "a" }],
      1,
      { strict_order: false },
    ],
    ["no call if none is wanted", [], [], 1],
    ["an empty text for no arguments", [{ name: "a", arguments: "" }], [{ name: "a", args: {} }], 1],
    ["arguments that are not JSON", [{ name: "a", arguments: "{" }], [{ name: "a", args: {} }], 0],
    ["arguments that are a list", [{ name: "a", arguments: "[1]" }], [{ name: "a", args: {} }], 0],
    [
      "calls in the form that models write",
      [{ function: { name: "weather", arguments: '{"unit":"C","city":"Rome"}' } }],
      [weather],
      1,
    ],
  ])("scores %s", verifies("metric.agentic"), async (_, made, wanted, value, params = {}) => {
    const outcome = await scoresOf(
      "tool_call_accuracy",
      { user_input: asks(...made), reference_tool_calls: wanted },
      undefined,
      params,
    )
    expect(outcome?.scores).toEqual({ tool_call_accuracy: value })
  })

  it("fails a row whose reference has arguments that are not JSON", verifies("metric.agentic"), async () => {
    const row = { user_input: asks(), reference_tool_calls: [{ name: "a", arguments: "{" }] }
    await expect(scoresOf("tool_call_accuracy", row)).rejects.toThrow("'reference_tool_calls' are not a JSON object")
  })

  it("fails a row with the names of the fields that it lacks", verifies("metric.agentic"), async () => {
    await expect(scoresOf("tool_call_accuracy", { user_input: asks() })).rejects.toThrow(
      /no 'reference_tool_calls'; it has 'user_input'/,
    )
  })
})

describe("a judged agent", () => {
  const row = {
    user_input: asks(weather),
    response: "25 degrees.",
    reference: "It is 25 degrees in Rome.",
    reference_topics: ["weather"],
  }

  it.each([
    ["agent_goal_accuracy_with_reference", '{"outcome": "told", "achieved": true}', 1],
    ["agent_goal_accuracy_without_reference", 'Well: {"outcome": "nothing", "achieved": "no"}', 0],
    ["trajectory_evaluation", '{"reason": "good", "rating": 4}', 0.75],
    ["answer_accuracy", '{"rating": 2}', 0.5],
  ])("gets a score for %s", verifies("metric.agentic"), async (type, content, value) => {
    const outcome = await scoresOf(type, row, () => ({ content }))
    expect(outcome?.scores).toEqual({ [type]: value })
    const [prompt = ""] = prompts()
    expect(prompt).toContain("How warm is it in Rome?")
    expect(prompt.includes("It is 25 degrees in Rome.")).toBe(type !== "agent_goal_accuracy_without_reference")
  })

  it(
    "is judged by the whole conversation with its tool calls, which contains the answer once",
    verifies("metric.agentic"),
    async () => {
      await scoresOf("agent_goal_accuracy_without_reference", row, () => ({
        content: '{"outcome": "", "achieved": true}',
      }))
      const [prompt = ""] = prompts()
      expect(prompt).toContain('Assistant calls weather({"city":"Rome","unit":"C"})\nTool: 25\nAssistant: 25 degrees.')
      expect(prompt.split("25 degrees.")).toHaveLength(2)
    },
  )

  it.each([
    ['{"rating": 0}', 0.5],
    ["Hm.", 1],
  ])("has its answer rated in both positions, here as 4 and %s", verifies("metric.agentic"), async (other, value) => {
    const judge: FakeModel = ({ messages }) => {
      const text = String(messages[0]?.content)
      const isFirst = text.indexOf("<first_answer>\n25 degrees.") !== -1
      return { content: isFirst ? '{"rating": 4}' : other }
    }
    expect((await scoresOf("answer_accuracy", row, judge))?.scores).toEqual({ answer_accuracy: value })
    expect(prompts()).toHaveLength(2)
  })

  const topics = [
    { topic: "Rome", answered: true, allowed: true },
    { topic: "rain", answered: true, allowed: true },
    { topic: "stocks", answered: true, allowed: false },
    { topic: "snow", answered: false, allowed: true },
    { topic: "politics", answered: false, allowed: false },
  ]
  it.each([
    ["precision", 2 / 3],
    ["recall", 2 / 3],
    ["f1", 2 / 3],
  ])("gets topic_adherence with metric_mode %s", verifies("metric.agentic"), async (metric_mode, value) => {
    const outcome = await scoresOf("topic_adherence", row, () => ({ content: JSON.stringify({ topics }) }), {
      metric_mode,
    })
    expect(outcome?.scores["topic_adherence"]).toBeCloseTo(value)
  })

  it(
    "that answers only questions that it must refuse scores 0, and NaN if there are no topics",
    verifies("metric.agentic"),
    async () => {
      const said = (list: readonly object[]) =>
        scoresOf("topic_adherence", row, () => ({ content: JSON.stringify({ topics: list }) }))
      expect((await said(topics.slice(2, 3)))?.scores).toEqual({ topic_adherence: 0 })
      await server?.close()
      expect((await said([]))?.scores).toEqual({ topic_adherence: "NaN" })
    },
  )

  it.each([
    ["agent_goal_accuracy_with_reference", '{"achieved": true} {"achieved": false}', "contradictory"],
    ["trajectory_evaluation", 'It says {"rating": 5}.\n{"rating": 1}', "contradictory"],
    ["trajectory_evaluation", '{"rating": true}', "no_verdict"],
    ["answer_accuracy", '```json\n{"rating": 4}\n```\n{"rating": 0}', "contradictory"],
    ["answer_accuracy", '{"rating": ""}', "no_verdict"],
    [
      "topic_adherence",
      `${JSON.stringify({ topics })} ${JSON.stringify({ topics: topics.slice(1) })}`,
      "contradictory",
    ],
  ])("scores NaN for %s if the judge answers %j", verifies("metric.agentic"), async (type, content, reason) => {
    const outcome = await scoresOf(type, row, () => ({ content }))
    expect(outcome).toMatchObject({ scores: { [type]: "NaN" }, unreadable: { reason } })
  })

  it.each(["agent_goal_accuracy_with_reference", "trajectory_evaluation", "answer_accuracy", "topic_adherence"])(
    "scores NaN for %s if the judge's answer can't be read, and keeps that answer",
    verifies("metric.agentic"),
    async (type) => {
      const outcome = await scoresOf(type, row, () => ({ content: "Hard to say." }))
      expect(outcome).toMatchObject({
        scores: { [type]: "NaN" },
        unreadable: { reason: "no_verdict", raw: "Hard to say." },
      })
    },
  )
})

describe("a message with an image", () => {
  it("is shown to the judge with a mark for the image, alone too", verifies("metric.agentic"), async () => {
    const image = { type: "image_url", image_url: { url: "https://host/cat.png" } }
    const user_input = [
      { role: "user", content: [image] },
      { role: "assistant", content: "A cat." },
      { role: "user", content: [{ type: "text", text: "And this?" }, image] },
      { role: "assistant", content: [{ type: "text", text: "A dog." }] },
    ]
    await scoresOf("trajectory_evaluation", { user_input }, () => ({ content: '{"rating": 5}' }))
    expect(prompts()[0]).toContain(
      "User: [image_url]\nAssistant: A cat.\nUser: And this?\n[image_url]\nAssistant: A dog.\n",
    )
  })
})

import type { ConversationTurn, EvaluationSample } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { defineMetric } from "../define-metric.ts"
import { scoringEnvironment } from "../../testing/scoring-environment.ts"
import { conversationInput } from "./turn-input.ts"
import { turnMetrics } from "./turn-metrics.ts"

const RUN = { maxRetries: 0, maxRateLimitWaitMs: 0, timeoutMs: 1000 }
const define = (key: string, type: string, params: Record<string, unknown>) =>
  defineMetric({ key, type, params, name: `tasks.t.metrics.${key}.params`, run: RUN })
const context = () => ({
  environment: scoringEnvironment(),
  models: { open: () => Promise.reject(new Error("No model.")), close: () => Promise.resolve() },
  onClose: () => {},
  signal: new AbortController().signal,
})
const OPTIONS = { signal: new AbortController().signal, onRetry: () => {} }

const turn = (number: number, output_text: string, over: Partial<ConversationTurn> = {}): ConversationTurn => ({
  user: "?",
  output_text,
  calls: [],
  scores: {},
  turn: number,
  usage: null,
  latency_ms: 1,
  finish_reason: "stop",
  ...over,
})
const SAMPLE: EvaluationSample = {
  output_text: "c",
  response: null,
  usage: null,
  latency_ms: 3,
  finish_reason: "stop",
  messages: ["user", "assistant", "user", "assistant", "user", "assistant"].map((role, at) => ({
    role,
    content: String(at),
  })),
  state: { orders: { A1: "cancelled" } },
  end: "turns",
}
const CALL = { name: "cancel", arguments: { id: "A1" }, result: "gone" }
const TURNS = [turn(0, "a"), turn(1, "b", { state: { orders: 1 } }), turn(1, "c", { calls: [CALL] })]
const INPUT = conversationInput({ word: "c" }, SAMPLE, TURNS)

async function scoreAll(...parts: Parameters<typeof turnMetrics>[0]) {
  const bound = await Promise.all(turnMetrics(parts).map((metric) => metric.bind(context())))
  return Object.fromEntries(
    await Promise.all(bound.map(async (metric) => [metric.key, await metric.score(INPUT, OPTIONS)] as const)),
  )
}

describe("the metrics of turns", () => {
  it("score each turn that has them, and all of them as their mean", async () => {
    const metric = define("contains", "string-check", { check: ["{{ sample.output_text }}", "contains", "{{ word }}"] })
    expect(await scoreAll({ turn: 1, span: [1, 3], metric })).toEqual({
      contains: {
        scores: { "string-check": 0.5 },
        turns: [undefined, { "string-check": 0 }, { "string-check": 1 }],
      },
      "contains@2": { scores: { "string-check": 0 } },
      "contains@3": { scores: { "string-check": 1 } },
      "contains@4": { scores: {} },
    })
  })

  it("have the mean of equal scores as their mean, however it is rounded", async () => {
    const metric = define("f1", "f1", { ground_truth: "x y z" })
    const turns = [0, 1, 2].map((number) => turn(number, "x y"))
    const parts = turns.map(({ turn: number }) => ({ turn: number, span: [number, number] as const, metric }))
    const bound = await turnMetrics(parts)[0]?.bind(context())
    const { scores } = (await bound?.score(conversationInput({}, SAMPLE, turns), OPTIONS)) ?? {}
    expect(scores).toMatchObject({ f1_score: 0.8 })
  })

  it("read the turn's own calls and state, the messages until then, and earlier turns", async () => {
    const calls = define("calls", "calls", { only: ["cancel"] })
    expect(await scoreAll({ turn: 1, span: [1, 2], metric: calls })).toMatchObject({
      "calls@2": { scores: { calls: 1 } },
      "calls@3": { scores: { calls: 1 } },
    })
    const state = define("state", "state", { path: "$.orders", equals: 1 })
    expect(await scoreAll({ turn: 1, span: [1, 2], metric: state })).toMatchObject({ state: { scores: { state: 1 } } })
    const template = "{{ sample.messages | length }} {{ turns[0].output_text }}"
    const messages = define("m", "string-check", { check: [template, "equals", "4 a"] })
    expect(await scoreAll({ turn: 1, span: [1, 2], metric: messages })).toMatchObject({
      "m@2": { scores: { "string-check": 1 } },
      "m@3": { scores: { "string-check": 0 } },
    })
  })

  it("have no number over all turns if one has none", async () => {
    const metric = define("n", "number-check", { check: ["{{ sample.output_text }}", "<", 1] })
    const outcomes = await scoreAll({ turn: 1, span: [1, 2], metric })
    expect(outcomes["n"]?.scores).toEqual({ "number-check": "NaN" })
  })
})

describe("checks of whole conversations", () => {
  it.each([
    ["state", { path: "$.orders.A1", equals: "cancelled" }, 1],
    ["state", { path: "$.orders.A1", equals: "shipped" }, 0],
    ["state", { path: "$.orders.B", equals: null }, 1],
    ["calls", { exact: ["cancel"] }, 1],
    ["calls", { exact: [{ name: "cancel", arguments: { id: "{{ word }}" } }] }, 0],
    ["calls", { never: "cancel before get_order" }, 0],
  ])("%s with %j is %d", async (type, params, score) => {
    const metric = await define(type, type, params).bind(context())
    expect(await metric.score(INPUT, OPTIONS)).toEqual({ scores: { [type]: score } })
  })

  it.each([
    ["state", { path: "$.a" }, "equals: is missing"],
    ["state", { equals: 1 }, "path: is missing"],
    ["calls", {}, "has no assertion; write one of exact, in_order"],
    ["calls", { only: [], exact: [] }, "has 'exact' and 'only'"],
    ["calls", { only: "cancel" }, "is not a list of calls"],
    ["calls", { only: [1] }, "is not a call"],
    ["calls", { never: "a after b" }, "is not a rule"],
  ])("%s with %j is refused: %s", (type, params, why) => {
    expect(() => define(type, type, params)).toThrow(why)
  })

  it("also read the calls of rows that are finished conversations", async () => {
    const item = { messages: [{ role: "assistant", tool_calls: [{ function: { name: "a", arguments: "{}" } }] }] }
    const metric = await define("calls", "calls", { exact: ["a"] }).bind(context())
    expect(await metric.score({ item, sample: { ...SAMPLE } }, OPTIONS)).toEqual({ scores: { calls: 1 } })
  })
})

it("a conversation without a state does not have that of its row", async () => {
  const bound = await define("state", "state", { path: "$.A1", equals: "shipped" }).bind(context())
  const { state: _, ...sample } = SAMPLE
  const item = { state: { A1: "shipped" } }
  const held = await bound.score(conversationInput(item, sample, TURNS.slice(0, 1)), OPTIONS)
  const finished = await bound.score({ item, sample }, OPTIONS)
  expect([held.scores, finished.scores]).toEqual([{ state: 0 }, { state: 1 }])
})

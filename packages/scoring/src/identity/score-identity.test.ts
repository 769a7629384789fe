import type { EvaluationConfigBody } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { scoreIdentity } from "./score-identity.ts"

type Params = Record<string, unknown>

const judge = {
  model: { api_endpoint: { url: "http://a/v1", model_id: "large" } },
  template: "Is {{ item.answer }} right?",
  scores: { right: { type: "int", minimum: 0, maximum: 1, parser: { type: "regex", pattern: "R: (\\d)" } }, kind: {} },
}
const config = (params: Params, type = "llm-judge"): EvaluationConfigBody => ({
  type: "custom",
  tasks: { qa: { metrics: { check: { type, params } } } },
})
const key = { task: "qa", metric: "check", score: "right" }
const changed = (before: Params, after: Params, score = "right") =>
  scoreIdentity.changed(config(before), config(after), { ...key, score })

describe("the identity of a score", () => {
  const { scores } = judge
  it.each<[string, Params, readonly string[]]>([
    ["the model", { model: { api_endpoint: { url: "http://a/v1", model_id: "small" } } }, ["model_id"]],
    ["an inference parameter", { inference_params: { temperature: 0.5 } }, ["inference_params"]],
    ["the prompt", { template: "Right?" }, ["prompt"]],
    [
      "the parser",
      { scores: { ...scores, right: { ...scores.right, parser: { type: "json" } } } },
      ["prompt", "parser"],
    ],
    ["the scale", { scores: { ...scores, right: { ...scores.right, maximum: 5 } } }, ["params"]],
    ["the address", { model: { api_endpoint: { url: "http://b/v1", model_id: "large", api_key_secret: "k" } } }, []],
    ["the order of keys", { scores: { kind: scores.kind, right: scores.right } }, []],
    ["a default that is written", { inference_params: { temperature: 0, max_tokens: 1024 } }, []],
  ])("names what differs if %s of a judge differs", verifies("eval.identity"), (_what, other, parts) => {
    const after = { ...judge, ...other }
    expect(changed(judge, after)).toEqual(parts)
    const digests = [judge, after].map((params) => scoreIdentity.digest(config(params), key))
    expect(digests[0] === digests[1]).toBe(parts.length === 0)
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/)
  })

  it(
    "of a judge does not depend on the parser of another score that is read by a pattern",
    verifies("eval.identity"),
    () => {
      const other = { ...scores.right, parser: { type: "regex", pattern: "RIGHT: (\\d)" } }
      expect(changed(judge, { ...judge, scores: { ...scores, right: other } }, "kind")).toEqual([])
    },
  )

  it("of a cost does not depend on the model that is asked and its prices", verifies("eval.identity"), () => {
    const limit = { measure: "cost", less_than: 0.02 }
    const changes = (before: Params, after: Params, type: string) =>
      scoreIdentity.changed(config(before, type), config(after, type), key)
    const own = { prompt_price: 1, completion_price: 2 }
    expect(changes({ ...limit, model: "small" }, { ...limit, model: "large" }, "usage-limit")).toEqual([])
    expect(changes({ model: "small" }, own, "cost")).toEqual([])
    expect(changes({ ...limit, model: "small" }, { ...limit, less_than: 1 }, "usage-limit")).toEqual(["params"])
  })

  it("of a turn of a conversation has the parts of its check in each turn", verifies("eval.identity"), () => {
    const held = (word: string, facts: string): EvaluationConfigBody => {
      const contains = (text: string) => ({
        contains: { type: "string-check", params: { check: ["a", "contains", text] } },
      })
      const turns = [
        { user: "Hello", metrics: contains("hi") },
        { user: "Bye", metrics: contains(word) },
      ]
      const user = { goal: "an order", facts, model: judge.model, judge: judge.model }
      return { type: "custom", tasks: { qa: { type: "conversation", params: { conversation: { turns, user } } } } }
    }
    const changedIn = (metric: string, ...[before, after]: readonly [EvaluationConfigBody, EvaluationConfigBody]) =>
      scoreIdentity.changed(before, after, { task: "qa", metric, score: "x" })
    const first = held("bye", "A1")
    expect(changedIn("contains", first, held("bye", "A2"))).toEqual([])
    expect(changedIn("contains", first, held("gone", "A1"))).toEqual(["params"])
    expect(changedIn("contains@2", first, held("gone", "A1"))).toEqual(["params"])
    expect(changedIn("user", first, held("bye", "A2"))).toEqual(["params"])
    const digest = (metric: string) => scoreIdentity.digest(first, { task: "qa", metric, score: "x" })
    expect(new Set(["contains", "contains@1", "contains@2", "user"].map(digest)).size).toBe(4)
    expect(digest("other")).toBeUndefined()
  })

  it("of a list of checks has the parts of each check", verifies("eval.identity"), () => {
    const list = (template: string, epsilon: number): Params => ({
      checks: {
        tone: { type: "llm-judge", params: { ...judge, template } },
        near: { type: "number-check", params: { epsilon } },
      },
    })
    const between = (before: Params, after: Params) =>
      scoreIdentity.changed(config(before, "checklist"), config(after, "checklist"), { ...key, score: "passed" })
    expect(between(list("a", 1), list("b", 1))).toEqual(["prompt"])
    expect(between(list("a", 1), list("a", 2))).toEqual(["params"])
  })

  it("of an agentic task has the judge of its parameters", verifies("eval.identity"), () => {
    const agentic = (model_id: string, temperature: number): EvaluationConfigBody => ({
      type: "agentic",
      params: { temperature },
      tasks: {
        qa: {
          type: "answer_accuracy",
          params: { judge: { model: { api_endpoint: { url: "http://a/v1", model_id } } } },
        },
      },
    })
    const named = { task: "qa", metric: "answer_accuracy", score: "answer_accuracy" }
    expect(scoreIdentity.changed(agentic("a", 0), agentic("b", 0), named)).toEqual(["model_id"])
    expect(scoreIdentity.changed(agentic("a", 0), agentic("a", 1), named)).toEqual([])
  })

  it("is the same in every release, or history becomes another", verifies("eval.identity"), () => {
    expect(scoreIdentity.digest(config({ ground_truth: "{{ item.ref }}" }, "em"), { ...key, score: "em_score" })).toBe(
      "d867924518777585d9fc342139709df6933d443a7808ef6afaa468c440291034",
    )
    expect(scoreIdentity.digest(config(judge), key)).toBe(
      "eb703cae621ebdb03fe4da0d7708cac2495ccec6cc76cb27bf3bc014b5d964c8",
    )
  })

  it("can be taken of a malformed configuration", verifies("eval.identity"), () => {
    for (const params of [{}, { scores: 1, model: [] }, { checks: [null, { type: 1 }] }]) {
      for (const type of ["llm-judge", "checklist", "answer_accuracy", "unknown"]) {
        expect(scoreIdentity.digest(config(params, type), key)).toHaveLength(64)
      }
    }
  })
})

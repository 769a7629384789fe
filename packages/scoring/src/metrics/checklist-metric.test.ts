import { describe, expect, it } from "vitest"
import { openMetrics, scoreRows } from "../testing/score-rows.ts"

type Row = Readonly<Record<string, unknown>>

async function scoresOf(params: Row, row: Row) {
  const [scored] = await scoreRows(await openMetrics([row], { list: { type: "checklist", params } }))
  return scored?.outcomes["list"]?.scores
}

const contains = (text: string) => ({
  type: "string-check",
  params: { check: ["{{ sample.output_text }}", "contains", text] },
})

describe("a checklist", () => {
  it.each<[string, Row, Row, Row]>([
    [
      "passes if each check passes",
      { checks: { a: contains("a"), b: contains("b") } },
      {},
      { passed: 1, score: 1, a: 1, b: 1 },
    ],
    [
      "fails if a check fails",
      { checks: { a: contains("a"), x: contains("x") } },
      {},
      { passed: 0, score: 0.5, a: 1, x: 0 },
    ],
    ["inverts a check", { checks: { x: { ...contains("x"), not: true } } }, {}, { passed: 1, score: 1, x: 1 }],
    [
      "weighs its checks, and compares their mean with a threshold",
      { checks: { a: { ...contains("a"), weight: 3 }, x: contains("x") }, threshold: "{{ item.limit }}" },
      { limit: 0.75 },
      { passed: 1, score: 0.75, a: 1, x: 0 },
    ],
    [
      "ignores a threshold without a value",
      { checks: { a: contains("a"), x: contains("x") }, threshold: "{{ item.limit }}" },
      { limit: null },
      { passed: 0, score: 0.5, a: 1, x: 0 },
    ],
    [
      "reports a check of weight 0",
      { checks: { a: contains("a"), x: { ...contains("x"), weight: 0 } } },
      {},
      { passed: 1, score: 1, a: 1, x: 0 },
    ],
    [
      "leaves checks out that do not apply to the row",
      { checks: { a: contains("a"), x: { ...contains("x"), when: "{{ item.wanted }}" } } },
      { wanted: null },
      { passed: 1, score: 1, a: 1 },
    ],
    [
      "has no score if nothing applies",
      { checks: { x: { ...contains("x"), when: "{{ item.wanted }}" } } },
      { wanted: [] },
      {},
    ],
    [
      "takes the value of a score for its mean, and a limit for the verdict",
      { checks: { f: { type: "f1", params: { ground_truth: "x y" }, at_least: 0.6, counts: "f1_score" } } },
      { output: "x" },
      { passed: 1, score: 2 / 3, f: 1 },
    ],
    [
      "has the mean of equal values, however it is rounded",
      {
        checks: Object.fromEntries(
          [1, 2, 0.1].map((weight, at) => [
            `f${at}`,
            { type: "f1", params: { ground_truth: "x y z" }, at_least: 0.8, counts: "f1_score", weight },
          ]),
        ),
      },
      { output: "x y" },
      { passed: 1, score: 0.8, f0: 1, f1: 1, f2: 1 },
    ],
    [
      "contains another list",
      {
        checks: {
          a: contains("a"),
          set: {
            type: "checklist",
            params: { threshold: 0.5, checks: { b: contains("b"), x: contains("x") } },
            counts: "score",
          },
        },
      },
      {},
      { passed: 1, score: 0.75, a: 1, set: 1 },
    ],
    [
      "has no verdict if a check has no number",
      { checks: { n: { type: "number-check", params: { check: ["{{ sample.output_text }}", "==", "1"] } } } },
      {},
      { passed: "NaN", score: "NaN", n: "NaN" },
    ],
  ])("%s", async (_title, params, row, scores) => {
    expect(await scoresOf(params, { output: "a b", ...row })).toEqual(scores)
  })

  it.each<[Row, RegExp]>([
    [{}, /has no checks/],
    [{ checks: { passed: contains("a") } }, /another name/],
    [{ checks: { a: { ...contains("a"), wieght: 2 } } }, /did you mean 'weight'/],
    [{ checks: { a: { ...contains("a"), at_least: { no: 1 } } } }, /'no' is not a score of string-check/],
    [{ checks: { a: { type: "none" } } }, /'none' is not a metric/],
  ])("%j is refused", async (params, message) => {
    await expect(openMetrics([{ output: "a" }], { list: { type: "checklist", params } })).rejects.toThrow(message)
  })
})

describe("a metric with `when`", () => {
  it("scores only the rows for which the template has a value", async () => {
    const rows = ["x", "", null, 0, [], {}, false].map((wanted) => ({ output: "x", wanted }))
    const metrics = { exact: { type: "em", params: { ground_truth: "x" }, when: "{{ item.wanted }}" } }
    const scored = await scoreRows(await openMetrics(rows, metrics))
    expect(scored.map(({ outcomes }) => outcomes["exact"]?.scores)).toEqual([{ em_score: 1 }, {}, {}, {}, {}, {}, {}])
  })

  it("leaves other rows out of corpus scores", async () => {
    const open = await openMetrics([], {
      bleu: { type: "bleu", params: { references: "x" }, when: "{{ item.wanted }}" },
    })
    const corpus = open.metrics[0]?.createCorpusScores?.()["corpus"]
    corpus?.add(
      { item: {}, sample: { output_text: "y", response: null, usage: null, latency_ms: null, finish_reason: null } },
      {},
    )
    expect(corpus?.value()).toBe("NaN")
    await open.close()
  })
})

describe("a check of a list", () => {
  it.each<[string, unknown, number]>([
    ["contains any", ["x", "{{ item.own }}"], 1],
    ["contains any", "{{ item.list }}", 0],
    ["contains all", ["a", "b"], 1],
    ["contains all", ["a", "x"], 0],
    ["contains all", [], 1],
  ])("%s of %j is %d", async (operator, right, expected) => {
    const params = { check: ["{{ sample.output_text }}", operator, right] }
    const open = await openMetrics([{ output: "a b", own: "b", list: ["x", "y"] }], {
      check: { type: "string-check", params },
    })
    const [scored] = await scoreRows(open)
    expect(scored?.outcomes["check"]?.scores).toEqual({ "string-check": expected })
  })
})

it("json-schema with `extract: any` accepts an answer with one object that satisfies the schema", async () => {
  const params = { extract: "any", schema: { type: "object", required: ["b"] } }
  const rows = ['See {"a": 1} and {"b": 2}.', 'See {"a": 1}.'].map((output) => ({ output }))
  const scored = await scoreRows(await openMetrics(rows, { json: { type: "json-schema", params } }))
  expect(scored.map(({ outcomes }) => outcomes["json"]?.scores["json-schema"])).toEqual([1, 0])
})

it("given takes the score that a row contains", async () => {
  const rows = [1, "0.5", true, false, "yes", null, ""].map((mark) => ({ mark }))
  const open = await openMetrics(rows, { mark: { type: "given", params: { value: "{{ item.mark }}" } } })
  const scores = (await scoreRows(open)).map(({ outcomes }) => outcomes["mark"]?.scores["given"])
  expect(scores).toEqual([1, 0.5, 1, 0, "NaN", undefined, undefined])
})

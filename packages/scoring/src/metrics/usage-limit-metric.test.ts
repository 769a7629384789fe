import { describe, expect, it } from "vitest"
import { openMetrics, scoreRows } from "../testing/score-rows.ts"

type Row = Readonly<Record<string, unknown>>

async function scoreOf(params: Row, row: Row) {
  const [scored] = await scoreRows(await openMetrics([row], { metric: { type: "usage-limit", params } }))
  return scored?.outcomes["metric"]?.scores["within-limit"]
}

const answer = { response: { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 2000 } } }
const prices = { prompt_price: 10, completion_price: 20 }

describe("the share of rows within a limit", () => {
  it.each<[Row, Row, number | "NaN"]>([
    [{ measure: "latency_ms", less_than: 2000 }, { output: "x", latency_ms: 1999 }, 1],
    [{ measure: "latency_ms", less_than: 2000 }, { output: "x", latency_ms: 2000 }, 0],
    [{ measure: "latency_ms", at_most: 2000 }, { output: "x", latency_ms: 2000 }, 1],
    [{ measure: "latency_ms", less_than: 2000 }, { output: "x" }, "NaN"],
    [{ measure: "total_tokens", at_most: 3000 }, answer, 1],
    [{ measure: "prompt_tokens", less_than: 1000 }, answer, 0],
    [{ measure: "completion_tokens", less_than: 1 }, { output: "x" }, "NaN"],
    [{ measure: "cost", at_most: 0.05, ...prices }, answer, 1],
    [{ measure: "cost", less_than: 0.05, ...prices }, answer, 0],
    [{ measure: "cost", less_than: 0.05, ...prices }, { output: "x" }, "NaN"],
  ])("%j is for the row %j %s", async (params, row, score) => {
    expect(await scoreOf(params, row)).toBe(score)
  })

  it.each<[Row, RegExp]>([
    [{ measure: "latency", less_than: 1 }, /measure: is "latency"; use latency_ms, cost,/],
    [{ measure: "cost", less_than: 1 }, /prompt_price: is undefined; give the price of a million tokens/],
    [{ measure: "latency_ms" }, /needs one limit, as a number: less_than or at_most/],
    [{ measure: "latency_ms", less_than: 1, at_most: 2 }, /needs one limit/],
    [
      { measure: "cost", less_than: 1, model: "m" },
      /'m' has no known price: there is no price table; give the prices .* or a price table \(--prices FILE/,
    ],
  ])("%j is refused with what to write", async (params, message) => {
    await expect(scoreOf(params, answer)).rejects.toThrow(message)
  })

  it("has a range, so that its interval is that of a share", async () => {
    const scoring = await openMetrics([], {
      metric: { type: "usage-limit", params: { measure: "latency_ms", less_than: 1 } },
    })
    const [metric] = scoring.metrics
    expect(metric).toMatchObject({ ranges: { "within-limit": [0, 1] } })
    expect(metric?.isAmount).toBeUndefined()
    await scoring.close()
  })
})

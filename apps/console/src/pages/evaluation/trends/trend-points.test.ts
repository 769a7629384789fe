import type { TrendPoint } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { seriesClass, seriesMark } from "./series-look.ts"
import { axisSteps, seriesOf, trendCharts } from "./trend-points.ts"

const point = (job: string, more: Partial<TrendPoint> = {}): TrendPoint => ({
  job,
  name: "nightly",
  model: "small",
  created_at: "2026-03-01T10:00:00.000Z",
  commit: null,
  status: "COMPLETED",
  scores: [{ name: "qa.exact.em", value: 0.5, low: 0.4, high: 0.6 }],
  gates: [],
  rows: 50,
  failed: 5,
  cost: null,
  currency: null,
  seconds: 12,
  ...more,
})

describe("the charts of a trend", () => {
  it("are of qualities first, then of amounts, time and failures, and none is empty", () => {
    const speed = { name: "qa.speed.latency_ms", value: 20, low: null, high: null, unit: "ms" }
    const turn = { name: "qa.said@2.string-check", value: 1, low: null, high: null }
    const scores = [speed, turn, { name: "qa.exact.em", value: "NaN" as const, low: null, high: null }]
    const gates = [
      { name: "qa.exact.em", limit: ">= 0.8", verdict: "PASS" as const },
      { name: "qa.exact.em gain over main", limit: ">= 0", verdict: "PASS" as const },
    ]
    const charts = trendCharts([point("a", { scores }), point("b", { gates })])
    expect(charts.map(({ title, unit, points }) => [title, unit, points.length])).toEqual([
      ["qa.exact.em", "", 1],
      ["qa.speed.latency_ms", " ms", 1],
      ["Time of the job", " s", 2],
      ["Failed rows", " %", 2],
    ])
    expect(charts[0]?.gates).toEqual([{ op: ">=", limit: 0.8 }])
    expect(trendCharts([point("b", { gates }), point("c")])[0]?.gates).toEqual([{ op: ">=", limit: 0.8 }])
    // Limits that differ are those of single jobs: a band over all of them would be wrong for some.
    const lower = [{ name: "qa.exact.em", limit: ">= 0.5", verdict: "PASS" as const }]
    const [both] = trendCharts([point("b", { gates }), point("c"), point("d", { gates: lower })])
    expect(both?.gates).toEqual([])
    expect(both?.points.map((one) => one.gates.map(({ limit }) => limit))).toEqual([[0.8], [], [0.5]])
    expect(charts.at(-1)?.points[0]?.value).toBe(10)
    expect(trendCharts([])).toEqual([])
  })

  it("stand at days or at commits, and are joined by name and model", () => {
    const points = [
      point("a", { commit: "aaaaaaaaaaaaaaaa" }),
      point("b", { model: "large", created_at: "2026-03-02T10:00:00.000Z" }),
      point("c", { name: "c", commit: "bbb" }),
    ]
    expect(axisSteps(points, "day")).toEqual(["2026-03-01", "2026-03-02"])
    expect(axisSteps(points, "commit")).toEqual(["aaaaaaaaaa", "2026-03-02", "bbb"])
    expect(seriesOf(points)).toEqual(["nightly · small", "nightly · large", "small"])
  })

  it("have a line and mark of their own, up to 18 of them", () => {
    const looks = Array.from({ length: 18 }, (_, at) => `${seriesClass(at)} ${seriesMark(at)}`)
    expect(new Set(looks).size).toBe(18)
    expect(looks[7]).toBe("series colour-1 dashed square")
  })
})

import { expect, it } from "vitest"
import { formatInColumn, formatWithUnit, titleWithUnit, unitOfMetric } from "./score-unit.ts"

it("amounts have their unit in the title of a column or behind the number, and other scores have none", () => {
  const config = { tasks: { qa: { metrics: { speed: { type: "latency" }, exact: { type: "em" } } } } } as const
  expect([
    unitOfMetric(config, "speed"),
    unitOfMetric(config, "exact"),
    unitOfMetric(config, "speed", "other"),
  ]).toEqual(["ms", undefined, undefined])
  expect([titleWithUnit("speed", "ms"), titleWithUnit("exact", undefined)]).toEqual(["speed (ms)", "exact"])
  expect([formatInColumn(1507.26, "ms"), formatInColumn(0.5, undefined), formatInColumn(null, "ms")]).toEqual([
    "1,507",
    "0.500",
    "–",
  ])
  expect([formatWithUnit(5.151, "ms"), formatWithUnit("NaN", "ms"), formatWithUnit(1, undefined)]).toEqual([
    "5.151 ms",
    "–",
    "1",
  ])
})

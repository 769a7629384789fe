import { rowOrder } from "@assay/results"
import { expect, it } from "vitest"
import { createGateWatch } from "./gate-watch.ts"

it("An interval says of how many rows it is if others are done that follow an unfinished one", () => {
  const order = rowOrder.create(100, 7)
  const gate = {
    name: "qa.check.ok",
    scoreName: "qa.check.ok",
    task: "qa",
    metric: "check",
    score: "ok",
    limit: { atLeast: 0.8 },
    isEarly: true,
    isCorrected: false,
    isOnTheseRows: false,
    alpha: 0.05,
    range: [0, 1],
    higherIsBetter: true,
  } as const
  const watch = createGateWatch({ metrics: [], repeats: 1 }, [gate], { order, references: new Map() }, () => {})
  const take = (position: number) => watch.addValues(position, 0, [1])
  for (let position = 0; position < 60; position++) if (position !== 40) take(position)
  expect(watch.interval("check", "ok")).toMatchObject({ first_rows: 40 })
  take(40)
  expect(watch.interval("check", "ok")).not.toHaveProperty("first_rows")
})

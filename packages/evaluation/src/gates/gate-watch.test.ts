import { rowOrder } from "@assay/results"
import { expect, it } from "vitest"
import { plannedGate } from "../testing/planned-gate.ts"
import { createGateWatch } from "./gate-watch.ts"

it("An interval says of how many rows it is if others are done that follow an unfinished one", () => {
  const order = rowOrder.create(100, 7)
  const watch = createGateWatch(
    { metrics: [], repeats: 1 },
    [plannedGate("check")],
    { order, references: new Map() },
    () => {},
  )
  const take = (position: number) => watch.addValues(position, 0, [1])
  for (let position = 0; position < 60; position++) if (position !== 40) take(position)
  expect(watch.interval("check", "s")).toMatchObject({ first_rows: 40 })
  take(40)
  expect(watch.interval("check", "s")).not.toHaveProperty("first_rows")
})

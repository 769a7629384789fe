import { expect, it } from "vitest"
import { ratePlot } from "./rate-plot.ts"

it("A rate plot keeps both ends of a long name, so that thresholds of one file can be distinguished", () => {
  const rate = { label: "0 % · 0 of 72", rate: 0, low: 0, high: 0.04 }
  const rows = [0.8, 0.95].map((threshold) => ({
    name: `./examples/certificates/of-a-team/scored.json at ${threshold}`,
    rate,
    hollow: rate,
  }))
  const options = { title: "Blocked", tone: "block", limit: 0.05, intervals: "95 % intervals", scale: 0.2 }
  const plot = ratePlot(rows, options).html
  expect(plot.match(/\.\/examples\/cer[^<]*/g)).toEqual([
    "./examples/certif…scored.json at 0.8",
    "./examples/certif…cored.json at 0.95",
  ])
})

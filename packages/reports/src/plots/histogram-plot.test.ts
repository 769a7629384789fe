import { expect, it } from "vitest"
import { histogramPlot } from "./histogram-plot.ts"

it("the mean of equal values is drawn in the middle of their one bin", () => {
  const bins = [{ lower_bound: 0.8, upper_bound: 0.8, count: 5 }]
  const drawn = histogramPlot({ histogram: { bins }, mean: 0.8, min: 0.8, max: 0.8 })?.html ?? ""
  expect(drawn).toContain('class="mean dashed" x1="150.0"')
  expect(drawn).not.toMatch(/NaN|Infinity/)
})

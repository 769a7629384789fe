import { expect, it } from "vitest"
import type { Slice } from "@assay/schemas"
import { COLOUR_STYLE } from "../html/page-style.ts"
import { INTERVAL_OPACITY } from "./interval-bar.ts"
import { intervalPlot } from "./interval-plot.ts"
import { slicePlot } from "./slice-plot.ts"

const TONES = ["good", "bad", "open", "accent", "soft", "block", "miss"]

/** Returns the three channels of a colour such as `#fff`, from 0 to 255. */
function channelsOf(theme: string, name: string): readonly number[] {
  const [, hex = ""] = new RegExp(`--${name}: #([0-9a-f]+);`, "u").exec(theme) ?? []
  const digits = hex.length === 3 ? hex.replaceAll(/./gu, "$&$&") : hex
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
}

/** Relative luminance by WCAG 2.2. */
function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

it("intervals of every tone have a contrast of at least 3 to 1 with the card, in light and dark", () => {
  const [light = "", dark = ""] = COLOUR_STYLE.split("@media")
  for (const theme of [light, dark]) {
    const card = channelsOf(theme, "card")
    for (const tone of TONES) {
      const drawn = channelsOf(theme, tone).map(
        (value, at) => value * INTERVAL_OPACITY + (card[at] ?? 0) * (1 - INTERVAL_OPACITY),
      )
      const [low = 0, high = 0] = [luminance(drawn), luminance(card)].toSorted((a, b) => a - b)
      expect((high + 0.05) / (low + 0.05), tone).toBeGreaterThanOrEqual(3)
    }
  }
})

it("the interval of a score and the means of its slices have its unit, and means have equal decimals", () => {
  const interval = { low: 140, high: 171, confidence: 0.95, method: "t" }
  const plot = intervalPlot({ mean: 152.3, min: 0, max: 200, interval }, 190, { unit: "ms" })
  expect(plot?.html).toContain("<b>140 to 171 ms</b>")
  const slices = [0.8, 0.7333].map((value, index): Slice => ({
    name: `slice ${index}`,
    kind: "value",
    value,
    interval: null,
    scored: 15,
    unreadable: 0,
    errored: 0,
    difference: null,
  }))
  const drawn = (unit?: string) =>
    [
      ...slicePlot({ column: "topic", values: 2, worst: null, groups: slices }, { value: 0.77 }, unit).html.matchAll(
        />([^<>]* · 15)</gu,
      ),
    ].map(([, text]) => text)
  expect(drawn()).toEqual(["0.733 · 15", "0.800 · 15"])
  expect(drawn("ms")).toEqual(["0.733 ms · 15", "0.800 ms · 15"])
})

import { expect, it } from "vitest"
import { COLOUR_STYLE } from "../html/page-style.ts"
import { INTERVAL_OPACITY } from "./interval-bar.ts"

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

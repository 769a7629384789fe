import { describe, expect, it } from "vitest"
import {
  formatBytes,
  formatDuration,
  formatEqualScores,
  formatInteger,
  formatScore,
  formatShare,
} from "./format-number.ts"

describe("formatInteger", () => {
  it.each([0, 7, 999, 1000, 12_345, 1_234_567, 2 ** 53, 1e300, -1, -1000, -123_456])(
    "writes %d as English does",
    (value) => expect(formatInteger(value)).toBe(value.toLocaleString("en")),
  )
})

describe("formatScore", () => {
  it.each([
    [0, "0"],
    [1, "1"],
    [0.66666, "0.667"],
    [0.5, "0.5"],
    [41.2654, "41.27"],
    [1234.56, "1,235"],
    [12_345, "12,345"],
    [0.00001234, "1.23e-5"],
    [-0.25, "-0.25"],
    ["NaN", "–"],
    [null, "–"],
  ] as const)("writes %s as %s", (value, text) => expect(formatScore(value)).toBe(text))
})

describe("formatEqualScores", () => {
  it.each([
    [[0.8, 0.7333, 1, 0, "NaN"], "0.800 0.733 1.000 0.000 –"],
    [[152.31, 98.2, 7], "152.3 98.2 7.0"],
    [[4.25, 3], "4.250 3.000"],
    [[1234.5, 12.25], "1,235 12"],
    [[1, 0, 12], "1 0 12"],
    [[0.00001, 0.5], "0.000 0.500"],
    [[0.00001], "1.00e-5"],
  ] as const)("writes %j as %s", (scores, text) => {
    expect(scores.map(formatEqualScores(scores)).join(" ")).toBe(text)
  })
})

describe("formatShare", () => {
  it.each([
    [0, "0 %"],
    [0.0712, "7.1 %"],
    [0.2, "20 %"],
    [0.9996, "100 %"],
    [1, "100 %"],
  ])("writes %d as %s", (share, text) => expect(formatShare(share)).toBe(text))
})

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KiB"],
    [1_048_575, "1.0 MiB"],
    [35_756_441, "34.1 MiB"],
    [2 ** 53, "8.0 PiB"],
    [Number.MAX_VALUE, expect.stringMatching(/PiB$/)],
  ])("writes %d as %s", (bytes, text) => expect(formatBytes(bytes)).toEqual(text))
})

describe("formatDuration", () => {
  it.each([
    [0, "0.0 s"],
    [9_940, "9.9 s"],
    [9_999, "10 s"],
    [59_600, "1 min 00 s"],
    [185_000, "3 min 05 s"],
    [7_830_000, "2 h 10 min"],
  ])("writes %d ms as %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))
})

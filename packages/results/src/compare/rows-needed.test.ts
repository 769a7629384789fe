import { expect, it } from "vitest"
import { rowsNeeded } from "./rows-needed.ts"

it.each([
  [
    "a difference half as large as its interval needs four times the rows",
    { difference: 0.05, interval: { low: -0.05, high: 0.15 }, limit: 0 },
    400,
  ],
  [
    "a difference below the limit is measured to its upper end",
    { difference: -0.05, interval: { low: -0.15, high: 0.05 }, limit: 0 },
    400,
  ],
  ["a decided difference needs no further rows", { difference: 0.2, interval: { low: 0.1, high: 0.3 }, limit: 0 }, 100],
  [
    "no number of rows decides a difference that is the limit",
    { difference: 0, interval: { low: -0.1, high: 0.1 }, limit: 0 },
    null,
  ],
])("%s", (_title, pair, expected) => expect(rowsNeeded({ rows: 100, ...pair })).toBe(expected))

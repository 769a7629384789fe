import { expect, it } from "vitest"
import { formatParameters } from "./format-parameters.ts"

it.each([
  [7_615_616_512, "7.62B"],
  [134_515_008, "135M"],
  [1e12, "1T"],
  [999, "999"],
  [0, "0"],
  [null, "–"],
])("%s parameters are written as %s", (count, text) => expect(formatParameters(count)).toBe(text))

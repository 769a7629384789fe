import { expect, it } from "vitest"
import { runBounded } from "./run-bounded.ts"

it("runBounded returns the result of the work, and throws its error", () => {
  expect(runBounded(() => 5)).toBe(5)
  expect(() =>
    runBounded(() => {
      throw new RangeError("wrong")
    }),
  ).toThrow(RangeError)
})

it("runBounded ends work that never ends, also inside a regular expression", () => {
  const late = expect.objectContaining({ code: "ERR_SCRIPT_EXECUTION_TIMEOUT" })
  expect(() => runBounded(() => /^(?:a+)+$/.test(`${"a".repeat(60)}!`), 20)).toThrow(late)
  expect(() =>
    runBounded(() => {
      for (;;);
    }, 20),
  ).toThrow(late)
})

import { expect, it } from "vitest"
import { runBounded } from "./run-bounded.ts"

it("returns what the work returns, and throws what it throws", () => {
  expect(runBounded(() => 5)).toBe(5)
  expect(() =>
    runBounded(() => {
      throw new RangeError("wrong")
    }),
  ).toThrow(RangeError)
})

it("ends work that goes on for ever, in a pattern as well", () => {
  const late = expect.objectContaining({ code: "ERR_SCRIPT_EXECUTION_TIMEOUT" })
  expect(() => runBounded(() => /^(?:a+)+$/.test(`${"a".repeat(60)}!`), 20)).toThrow(late)
  expect(() =>
    runBounded(() => {
      for (;;);
    }, 20),
  ).toThrow(late)
})

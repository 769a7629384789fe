import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { wilsonInterval } from "../intervals/rate-intervals.ts"
import { gate, rowsToDecide, smallestDetectableEffect } from "./gate.ts"

describe("gate", () => {
  it("compares the whole interval with the limit", () => {
    expect(gate({ low: 0.01, high: 0.05 }, { atMost: 0.05 })).toBe("PASS")
    expect(gate({ low: 0.05, high: 0.06 }, { atMost: 0.05 })).toBe("INCONCLUSIVE")
    expect(gate({ low: 0.051, high: 0.06 }, { atMost: 0.05 })).toBe("FAIL")
    expect(gate({ low: 0.9, high: 1 }, { atLeast: 0.9 })).toBe("PASS")
    expect(gate({ low: 0.8, high: 0.9 }, { atLeast: 0.9 })).toBe("INCONCLUSIVE")
    expect(gate({ low: 0.8, high: 0.89 }, { atLeast: 0.9 })).toBe("FAIL")
  })

  it("is inconclusive without an interval, and for a set that is too small", () => {
    expect(gate(null, { atMost: 0.05 })).toBe("INCONCLUSIVE")
    expect(gate(wilsonInterval(0, 50), { atMost: 0.05 })).toBe("INCONCLUSIVE")
  })
})

describe("rowsToDecide", () => {
  it("is the number of rows at which Wilson's bound reaches the limit", () => {
    expect(rowsToDecide(0.05)).toBe(73)
    expect(gate(wilsonInterval(0, 72), { atMost: 0.05 })).toBe("INCONCLUSIVE")
    expect(gate(wilsonInterval(0, 73), { atMost: 0.05 })).toBe("PASS")
    const n = rowsToDecide(0.05, 0.1)
    expect(gate(wilsonInterval(0.1 * n, n), { atMost: 0.05 })).toBe("FAIL")
    expect(gate(wilsonInterval(0.1 * (n - 1), n - 1), { atMost: 0.05 })).toBe("INCONCLUSIVE")
    expect(rowsToDecide(0.05, 0.05)).toBe(Infinity)
  })

  it("refuses a limit in percent", () => {
    expect(() => rowsToDecide(5)).toThrow("limit: '5' is not possible")
  })
})

describe("smallestDetectableEffect", () => {
  it("is 2.8 standard errors at 80 % power, and more for few pairs", () => {
    expectClose(smallestDetectableEffect(1), 1.959963984540054 + 0.8416212335729143, 1e-12)
    expectClose(
      smallestDetectableEffect(0.5, { degreesOfFreedom: 5 }),
      0.5 * (2.5705818366147395 + 0.9195437802408271),
      1e-9,
    )
    expect(smallestDetectableEffect(0)).toBe(0)
  })

  it("refuses an invalid standard error and an invalid power", () => {
    expect(() => smallestDetectableEffect(-1)).toThrow("standardError")
    expect(() => smallestDetectableEffect(1, { power: 80 })).toThrow("power: '80'")
  })
})

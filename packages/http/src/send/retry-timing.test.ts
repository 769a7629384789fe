import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { retryAfter, retryDelay } from "./retry-timing.ts"

describe("retryAfter", () => {
  const date = "Fri, 20 Nov 2026 08:00:00 GMT"
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": " 1.5 " }, 1500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "2" }, 250],
    [{ "retry-after": "Fri, 20 Nov 2026 08:00:05 GMT", date }, 5000],
    [{ "retry-after": "Fri, 20 Nov 2026 07:00:00 GMT", date }, 0],
    [{ "retry-after": "Fri, 20 Nov 2026 08:00:05 GMT" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
  ])("reads %j as %s milliseconds, from a record and from a Headers object", (headers, milliseconds) => {
    expect(retryAfter(headers)).toBe(milliseconds)
    expect(retryAfter(new Headers(headers as Record<string, string>))).toBe(milliseconds)
  })
})

describe("retryDelay", () => {
  const timing = { firstMs: 100, maxMs: 1000, spreadMs: 50 }

  it("doubles the wait up to its maximum, and its upper half is random", () => {
    const delays = (random: number) => [0, 1, 2, 3, 4].map((at) => retryDelay(at, { ...timing, random: () => random }))
    expect(delays(0)).toEqual([50, 100, 200, 400, 500])
    expect(delays(1)).toEqual([100, 200, 400, 800, 1000])
  })

  it("never waits less than the server asked for, and at most `spreadMs` longer", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(100_000), fc.double({ min: 0, max: 1, noNaN: true }), (at, asked, random) => {
        const delay = retryDelay(at, { ...timing, random: () => random }, asked)
        expect(delay).toBeGreaterThanOrEqual(asked)
        expect(delay).toBeLessThanOrEqual(asked + timing.spreadMs)
      }),
    )
  })
})

import { expect } from "vitest"

/** Expects numbers within `tolerance` of the expected ones, and everything else to be the same. */
export function expectClose(actual: unknown, expected: unknown, tolerance: number, id = ""): void {
  if (typeof expected !== "number") expect(actual, id).toBe(expected)
  else
    expect(Math.abs(Number(actual) - expected), `${id}: ${String(actual)} for ${expected}`).toBeLessThanOrEqual(
      tolerance,
    )
}

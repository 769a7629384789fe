/** Returns 300 values each of 0 or 1, of eighths, and of 0 or 1 with missing ones. They are the same wherever 31-bit integers can be computed. */
export function sequenceSamples(): Readonly<Record<"binary" | "graded" | "holes", readonly number[]>> {
  let state = 42
  const next = () => {
    // Numerical Recipes' generator of ANSI C.
    state = (Math.imul(1103515245, state) + 12345) & 0x7fffffff
    return state / 2 ** 31
  }
  const list = (make: () => number) => Array.from({ length: 300 }, make)
  return {
    binary: list(() => (next() < 0.9 ? 1 : 0)),
    graded: list(() => Math.round(next() * 8) / 8),
    holes: list(() => (next() < 0.2 ? Number.NaN : next() < 0.85 ? 1 : 0)),
  }
}

const STEPS = [1, 2, 2.5, 5, 10] as const
/** Steps that a scale has at least, so that it does not get much wider than its values. */
const MIN_STEPS = 4
/** Keeps a value that is a multiple of the step in binary fractions at this multiple. */
const ROUNDING = 1e-9

/** Returns a scale around values whose ends are even numbers: multiples of 1, 2, 2.5 or 5 times a power of ten. */
export function evenRange(least: number, most: number): readonly [from: number, to: number] {
  const wanted = (most - least || Math.abs(most) || 1) / MIN_STEPS
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = power * (STEPS.find((one) => one >= wanted / power - ROUNDING) ?? 10)
  const from = Math.floor(least / step + ROUNDING) * step
  const to = Math.ceil(most / step - ROUNDING) * step
  return from === to ? [from, from + step] : [from, to]
}

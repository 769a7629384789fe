/** The exact number `units` · 2^`exponent`. */
export interface BinaryFraction {
  readonly units: bigint
  readonly exponent: number
}

const NOTHING: BinaryFraction = { units: 0n, exponent: 0 }

/** Returns the exact sum of finite numbers, times 2^`scale`. */
export function fractionOf(values: ArrayLike<number>, scale = 0): BinaryFraction {
  let sum = NOTHING
  for (let at = 0; at < values.length; at++) sum = addFractions(sum, exactly(values[at] ?? 0, scale))
  return sum
}

const view = (): DataView => new DataView(new ArrayBuffer(8))

function exactly(value: number, scale: number): BinaryFraction {
  if (value === 0) return NOTHING
  const bytes = view()
  bytes.setFloat64(0, value)
  const bits = bytes.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const digits = bits & 0xf_ffff_ffff_ffffn
  const units = biased === 0 ? digits : digits | 0x10_0000_0000_0000n
  return { units: value < 0 ? -units : units, exponent: Math.max(biased, 1) - 1075 + scale }
}

export function addFractions(a: BinaryFraction, b: BinaryFraction): BinaryFraction {
  if (a.units === 0n) return b
  if (b.units === 0n) return a
  const exponent = Math.min(a.exponent, b.exponent)
  const units = (a.units << BigInt(a.exponent - exponent)) + (b.units << BigInt(b.exponent - exponent))
  return { units, exponent }
}

export function multiplyFractions(a: BinaryFraction, b: BinaryFraction): BinaryFraction {
  return { units: a.units * b.units, exponent: a.exponent + b.exponent }
}

const ONE: BinaryFraction = { units: 1n, exponent: 0 }
/** More binary digits than a number has: the last one represents all that follow. */
const DIGITS = 60
const LEAST_EXPONENT = -1074

/** Returns a / b as the nearest number, rounded once. `b` is above 0. */
export function roundQuotient(a: BinaryFraction, b: BinaryFraction = ONE): number {
  if (a.units === 0n) return 0
  const size = a.units < 0n ? -a.units : a.units
  const shift = Math.max(0, DIGITS + lengthOf(b.units) - lengthOf(size))
  const scaled = size << BigInt(shift)
  const whole = scaled / b.units
  const isCut = whole * b.units !== scaled
  const rounded = roundOnce(whole, isCut, a.exponent - b.exponent - shift)
  return a.units < 0n ? -rounded : rounded
}

/** Returns a length in binary digits that is at most three too long. */
function lengthOf(units: bigint): number {
  return 4 * units.toString(16).length
}

/** Rounds `units` · 2^`exponent`, of which a part may have been cut off, to the nearest number. Half is rounded to even. */
function roundOnce(units: bigint, isCut: boolean, exponent: number): number {
  // A number below the normal ones has fewer digits.
  const dropped = Math.max(0, lengthOf(units) - DIGITS, LEAST_EXPONENT - exponent - 1)
  const kept = units >> BigInt(dropped)
  const isRest = isCut || kept << BigInt(dropped) !== units
  const last = exponent + dropped
  // A number below the normal ones is a multiple of the least one, and `kept` has one binary digit more.
  if (last < LEAST_EXPONENT && kept < 2n ** 54n) {
    const half = kept & 1n
    const below = kept >> 1n
    const up = half === 1n && (isRest || (below & 1n) === 1n)
    return Number(below + (up ? 1n : 0n)) * 2 ** LEAST_EXPONENT
  }
  const nearest = Number((kept << 1n) | (isRest ? 1n : 0n))
  // Two factors, because one of them can be out of range where the product is not.
  const half = Math.trunc((last - 1) / 2)
  return nearest * 2 ** half * 2 ** (last - 1 - half)
}

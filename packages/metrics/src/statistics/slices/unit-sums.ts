import type { UnitMoments } from "../intervals/units.ts"

/** Sums from which the moments of units follow. Those of several slices can be added, so that each value is read once. */
export interface UnitSums {
  /** Adds a unit: the sum and the number of its values. */
  add(sum: number, size: number): void
  merge(other: UnitSums): void
  /** The number of values. */
  readonly count: number
  /** The lowest and highest mean of a unit. */
  readonly range: readonly [low: number, high: number]
  readonly powers: Float64Array
  /** Returns the moments of `unitMoments`. */
  moments(): UnitMoments
}

/** Units whose means differ by less are equal. */
const ROUNDING = 1e-12

/** @param centre a number near the values: distances from it are added, so that digits are kept */
export function createUnitSums(centre: number): UnitSums {
  // n, z, e, ee, ez, zz, eee, eez, ezz, zzz: z is the size of a unit, e its sum minus z times the centre.
  const powers = new Float64Array(10)
  let low = Infinity
  let high = -Infinity
  const at = (index: number) => powers[index] ?? 0
  return {
    add(sum, z) {
      const e = sum - centre * z
      const mean = sum / z
      low = Math.min(low, mean)
      high = Math.max(high, mean)
      // One by one: a loop over a list takes ten times as long.
      powers[0] = at(0) + 1
      powers[1] = at(1) + z
      powers[2] = at(2) + e
      powers[3] = at(3) + e * e
      powers[4] = at(4) + e * z
      powers[5] = at(5) + z * z
      powers[6] = at(6) + e * e * e
      powers[7] = at(7) + e * e * z
      powers[8] = at(8) + e * z * z
      powers[9] = at(9) + z * z * z
    },
    merge(other) {
      for (const [index, power] of other.powers.entries()) powers[index] = at(index) + power
      low = Math.min(low, other.range[0])
      high = Math.max(high, other.range[1])
    },
    get count() {
      return at(1)
    },
    get range() {
      return [low, high] as const
    },
    powers,
    moments() {
      const n = at(0)
      const count = at(1)
      const off = at(2) / count
      const mean = centre + off
      const effective = (count * count) / at(5)
      if (high - low <= ROUNDING * Math.abs(mean)) return { n, mean, deviation: 0, skewness: 0, effective }
      const squares = (at(3) - 2 * off * at(4) + off * off * at(5)) * (n / count) ** 2
      const cubes = (at(6) - 3 * off * at(7) + 3 * off * off * at(8) - off ** 3 * at(9)) * (n / count) ** 3
      const variance = Math.max(0, squares / n)
      const skewness = variance === 0 ? 0 : cubes / n / variance ** 1.5 / Math.sqrt(n)
      return { n, mean, deviation: Math.sqrt(variance / n), skewness, effective }
    },
  }
}

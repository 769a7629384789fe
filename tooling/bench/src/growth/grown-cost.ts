import { atMost, forComparison, type Measurement, type Row } from "../bench.ts"

/** How much a cost may grow when the size grows tenfold. */
export const ALLOWED_GROWTH = {
  /** The work is the same at every size; twice is tolerated for larger indexes and colder caches. */
  constant: 2,
  /** The work grows more slowly than the size. */
  sublinear: 4,
  /** The work is done on everything; more than tenfold is tolerated for colder caches. */
  linear: 13,
} as const

export type AllowedGrowth = keyof typeof ALLOWED_GROWTH

/** One cost at one size. */
export interface Cost extends Row {
  readonly grows: AllowedGrowth
  readonly unit: "ms" | "MiB"
  readonly value: number
}

/** The costs that were measured at one size. */
export interface CostsAtSize {
  readonly size: number
  readonly costs: readonly Cost[]
}

/** Below these values a cost is noise: it counts as this much. */
const NOISE = { ms: 0.5, MiB: 16 }

export interface GrowthRules {
  /** Up to this size the work is done on everything, so every cost may grow as the size does. Default: none may. */
  readonly linearUpTo?: number
}

/** Returns a row for each cost with its value at every size. It fails if the cost grew faster than allowed between two sizes. */
export function flagGrowth(
  sizes: readonly CostsAtSize[],
  { linearUpTo = 0 }: GrowthRules = {},
): readonly Measurement[] {
  const works = [...new Set(sizes.flatMap(({ costs }) => costs.map(({ work }) => work)))]
  return works.flatMap((work) => {
    const points = sizes.flatMap(({ size, costs }) =>
      costs.filter((cost) => cost.work === work).map((cost) => ({ size, cost })),
    )
    const [first] = points
    if (first === undefined) return []
    const { does, grows, unit } = first.cost
    const allowed = ALLOWED_GROWTH[grows]
    const steps = points.slice(1).map(({ size, cost }, index) => {
      const before = points[index] ?? first
      const grown = Math.max(cost.value, NOISE[unit]) / Math.max(before.cost.value, NOISE[unit])
      const tenfolds = Math.log10(size / before.size)
      return {
        from: before.size,
        to: size,
        grown,
        tooFast:
          grown > Math.max((size <= linearUpTo ? ALLOWED_GROWTH.linear : allowed) ** tenfolds, ALLOWED_GROWTH.constant),
      }
    })
    const values = points.map(({ size, cost }) => `${shortSize(size)}: ${cost.value.toFixed(2)}`).join(", ")
    const flags = steps
      .filter(({ tooFast }) => tooFast)
      .map(({ from, to, grown }) => `× ${grown.toFixed(1)} from ${shortSize(from)} to ${shortSize(to)}`)
    const value = `${values} ${unit}${flags.length === 0 ? "" : `; grows too fast: ${flags.join(", ")}`}`
    // One size says nothing about growth.
    if (steps.length === 0) return [forComparison({ work, does }, value)]
    const isLinear = allowed === ALLOWED_GROWTH.linear || steps.every(({ to }) => to <= linearUpTo)
    const later = linearUpTo === 0 ? "" : ` above ${shortSize(linearUpTo)}`
    const bar = isLinear ? `≤ × ${ALLOWED_GROWTH.linear} per tenfold` : `≤ × ${allowed} per tenfold${later}`
    return [{ work, does, value, bar, passed: flags.length === 0 }]
  })
}

/** Returns a row for each amount of memory at the largest size. */
export function boundMemory(sizes: readonly CostsAtSize[], bar: number): readonly Measurement[] {
  const last = sizes.at(-1)
  if (last === undefined) return []
  return last.costs
    .filter(({ unit }) => unit === "MiB")
    .map(({ work, does, value }) =>
      atMost({ work: `${work}, MiB`, does: `${does} At ${shortSize(last.size)}.` }, value, bar, "highest"),
    )
}

function shortSize(size: number): string {
  return size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1000}k`
}

import { cohenKappa, pairAgreement, rankCorrelation } from "@assay/metrics"
import { formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { type Draw, seededRandom } from "./seeded-random.ts"

const SIMULATIONS = 200
const LOWEST = 0.93
const SIZES = [10, 20, 50, 200, 500] as const
/** Two standard errors of a share of 0.95 in all simulations. */
const NOISE = 2 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)
/** Rows from which the true value is known well enough. */
const MANY = 200_000

interface Setting<Row> {
  readonly name: string
  readonly draw: (random: Draw) => Row
}

type Pair = readonly [number, number]
type Range = { readonly low: number; readonly high: number } | null

const normal = (random: Draw) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
const grade = (value: number) => within(Math.round(value), 1, 5)

/** People give labels with these shares, and the judge gives the same one with a probability. */
function labelled(name: string, shares: readonly number[], same: number): Setting<Pair> {
  return {
    name,
    draw(random) {
      let at = random()
      let people = 0
      while (people < shares.length - 1 && at >= (shares[people] ?? 1)) at -= shares[people++] ?? 0
      const other = (people + 1 + Math.floor(random() * (shares.length - 1))) % shares.length
      return [random() < same ? people : other, people]
    },
  }
}

const LABELS: readonly Setting<Pair>[] = [
  labelled("half good, the judge agrees on 80 %", [0.5, 0.5], 0.8),
  labelled("80 % good, the judge agrees on 90 %", [0.2, 0.8], 0.9),
  labelled("90 % good, the judge agrees on 95 %", [0.1, 0.9], 0.95),
  labelled("half good, the judge agrees on 97 %", [0.5, 0.5], 0.97),
  labelled("half good, the judge says anything", [0.5, 0.5], 0.5),
  labelled("four labels, the judge agrees on 70 %", [0.4, 0.3, 0.2, 0.1], 0.7),
]

const NUMBERS: readonly (Setting<Pair> & { readonly scale: Pair })[] = [
  {
    name: "grades from 1 to 5 with errors of about 0.8",
    scale: [1, 5],
    draw(random) {
      const truth = 1 + Math.floor(random() * 5)
      return [grade(truth + 0.8 * normal(random)), grade(truth + 0.8 * normal(random))]
    },
  },
  {
    name: "grades of which most are 5, and a generous judge",
    scale: [1, 5],
    draw(random) {
      const truth = random() < 0.7 ? 5 : 1 + Math.floor(random() * 5)
      const judge = random() < 0.7 ? truth : grade(truth + 0.5 + normal(random))
      return [judge, random() < 0.7 ? truth : grade(truth + normal(random))]
    },
  },
  {
    name: "grades that are equal in 92 % of rows, else anything",
    scale: [1, 5],
    draw(random) {
      const truth = 1 + Math.floor(random() * 5)
      return [random() < 0.92 ? truth : 1 + Math.floor(random() * 5), truth]
    },
  },
  {
    name: "shares near 1 with failures, of which the judge misses some",
    scale: [0, 1],
    draw(random) {
      const truth = random() < 0.9 ? 0.9 + 0.1 * random() : 0.3 * random()
      const near = () => within(truth + 0.05 * normal(random), 0, 1)
      return [random() < 0.97 ? near() : random(), near()]
    },
  },
  { name: "a judge that says anything", scale: [0, 1], draw: (random) => [random(), random()] },
]

/** Verdict, length, and label. */
type Answer = readonly [number, number, number]
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))

const LENGTHS: readonly (Setting<Answer> & { readonly isGiven?: boolean })[] = [
  { name: "80 % pass, whatever the length", draw: (random) => [Number(random() < 0.8), normal(random), 0] },
  { name: "95 % pass, whatever the length", draw: (random) => [Number(random() < 0.95), normal(random), 0] },
  {
    name: "85 % pass, long answers far more often",
    draw(random) {
      const length = normal(random)
      return [Number(random() < sigmoid(2.5 + 2 * length)), length, 0]
    },
  },
  {
    name: "grades that rise with the length",
    draw(random) {
      const length = normal(random)
      return [grade(3.5 + 0.6 * length + normal(random)), length, 0]
    },
  },
  {
    name: "good answers are longer, and the judge looks at nothing else; beyond labels",
    isGiven: true,
    draw(random) {
      const label = Number(random() < 0.6)
      return [random() < 0.85 ? label : 1 - label, normal(random) + label, label]
    },
  },
  {
    name: "good answers are longer, and the judge likes long ones; beyond labels",
    isGiven: true,
    draw(random) {
      const label = Number(random() < 0.6)
      const length = normal(random) + label
      return [Number(random() < sigmoid(2.5 * label + length - 1.5)), length, label]
    },
  },
]

interface Counted<Row> {
  readonly setting: Setting<Row>
  /** The counts, by name. */
  readonly values: readonly CountedValue<Row>[]
  /** Measures rows once for all values. Undefined: they have no value, such as labels that are all equal. */
  readonly measure: (rows: readonly Row[], seed: number) => Readonly<Record<string, Range>> | undefined
}

interface CountedValue<Row> {
  readonly name: string
  /** The value that so many rows have that it is the true one. */
  readonly truthOf: (rows: readonly Row[]) => number
  /** Whether the line is there for comparison. Default false. */
  readonly isOther?: boolean
}

/** Counts how often intervals contain the true values, by number of rows. A value without an interval counts as missed. */
function coverage<Row>({ setting, values, measure }: Counted<Row>, seed: number): readonly Measurement[] {
  const { name: about, draw } = setting
  const many = seededRandom(seed)
  const all = Array.from({ length: MANY }, () => draw(many))
  const counted = values.map((one) => ({ ...one, truth: one.truthOf(all), shares: [] as number[] }))
  for (const [at, size] of SIZES.entries()) {
    const random = seededRandom(seed + at + 1)
    const held = values.map(() => 0)
    let found = 0
    for (let simulation = 0; simulation < SIMULATIONS; simulation++) {
      const measured = measure(
        Array.from({ length: size }, () => draw(random)),
        simulation,
      )
      if (measured === undefined) continue
      found++
      for (const [value, { name, truth }] of counted.entries()) {
        const interval = measured[name] ?? null
        if (interval !== null && interval.low <= truth && truth <= interval.high) held[value] = (held[value] ?? 0) + 1
      }
    }
    for (const [value, { shares }] of counted.entries()) shares.push((held[value] ?? 0) / found)
  }
  return counted.map(({ name, shares, isOther = false }) => ({
    work: `${name}, ${about}`,
    does: `${name}: ${about}`,
    value: shares.map((share) => share.toFixed(3)).join(", "),
    bar: isOther ? "-" : `≥ ${LOWEST} (within ${NOISE.toFixed(3)} by chance)`,
    ...(isOther ? {} : { passed: shares.every((share) => share >= LOWEST - NOISE) }),
  }))
}

const isConstant = (pairs: readonly Pair[]) => new Set(pairs.flat()).size < 2
const columns = (pairs: readonly Pair[]) => [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const
const KAPPA = "kappa"
const BY_ERROR = "kappa by its standard error"
const ALPHA = "alpha, nominal"
const NUMERIC = "alpha, interval"
const LENGTH = "length"

function labels(setting: Setting<Pair>, seed: number): readonly Measurement[] {
  const kappa = (pairs: readonly Pair[]) => cohenKappa(...columns(pairs)).kappa ?? 0
  return coverage(
    {
      setting,
      values: [
        { name: KAPPA, truthOf: kappa },
        { name: BY_ERROR, truthOf: kappa, isOther: true },
        { name: ALPHA, truthOf: (pairs) => alphaOf(pairs, "nominal") },
      ],
      measure(pairs, seedOf) {
        if (isConstant(pairs)) return undefined
        const found = pairAgreement(pairs, { level: "nominal", seed: seedOf })
        const byError = cohenKappa(...columns(pairs)).interval
        return { [KAPPA]: found.kappa_interval, [BY_ERROR]: byError, [ALPHA]: found.alpha_interval }
      },
    },
    seed,
  )
}

function numbers(setting: (typeof NUMBERS)[number], seed: number): readonly Measurement[] {
  return coverage(
    {
      setting,
      values: [{ name: NUMERIC, truthOf: (pairs) => alphaOf(pairs, "interval") }],
      measure(pairs, seedOf) {
        if (isConstant(pairs)) return undefined
        const options = { level: "interval" as const, scale: setting.scale, seed: seedOf }
        return { [NUMERIC]: pairAgreement(pairs, options).alpha_interval }
      },
    },
    seed,
  )
}

/** Computes alpha of many pairs by its definition, apart from the code that is checked. */
function alphaOf(pairs: readonly Pair[], of: "nominal" | "interval"): number {
  const observed = pairs.reduce((sum, [a, b]) => sum + distance(a, b, of), 0) / pairs.length
  const counts = new Map<number, number>()
  for (const value of pairs.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const all = 2 * pairs.length
  if (of === "nominal") return 1 - observed / (1 - counts.values().reduce((sum, n) => sum + (n / all) ** 2, 0))
  const mean = pairs.flat().reduce((sum, value) => sum + value, 0) / all
  const variance = pairs.flat().reduce((sum, value) => sum + (value - mean) ** 2, 0) / all
  return 1 - observed / (2 * variance)
}

function distance(a: number, b: number, of: "nominal" | "interval"): number {
  return of === "nominal" ? Number(a !== b) : (a - b) ** 2
}

function lengths(setting: (typeof LENGTHS)[number], seed: number): readonly Measurement[] {
  const correlate = (rows: readonly Answer[]) =>
    rankCorrelation(
      rows.map(([verdict]) => verdict),
      rows.map(([, length]) => length),
      setting.isGiven === true ? { given: rows.map(([, , label]) => label) } : {},
    )
  return coverage(
    {
      setting,
      values: [{ name: LENGTH, truthOf: (rows) => correlate(rows).correlation ?? 0 }],
      measure(rows) {
        const { correlation, interval } = correlate(rows)
        return correlation === null ? undefined : { [LENGTH]: interval }
      },
    },
    seed,
  )
}

export const judgeReports: GuaranteeSection = {
  title: "Reports about judges",
  method: `How often an interval of 95 % in a report about a judge contains the true value, for ${SIZES.join(", ")} rows in this order, ${formatCount(SIMULATIONS)} simulations each ([judges.md](../guides/judges.md)). Labels that are
all equal have no agreement, and are left out. The intervals of alpha for numbers are wide for few rows, because a rare and large difference may be missing. The usual interval of kappa is there for comparison: it counts as missed if there is none, as for raters who always agree.`,
  simulate: async () => [
    ...LABELS.flatMap((setting, at) => labels(setting, 5001 + 10 * at)),
    ...NUMBERS.flatMap((setting, at) => numbers(setting, 5201 + 10 * at)),
    ...LENGTHS.flatMap((setting, at) => lengths(setting, 5301 + 10 * at)),
  ],
}

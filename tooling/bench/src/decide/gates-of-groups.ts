import { gateFamily, summarize } from "@assay/metrics"
import { formatCount, type Measurement, type Row } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const GATES = 10
const SETS = 1000
const ALPHA = 0.05
/** Three standard errors of a share of alpha in all sets: gates that are wrong in exactly alpha of them differ by no more. */
const NOISE = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / SETS)

/** The values of one score, with the group of each. */
interface DrawnScore {
  readonly values: readonly number[]
  readonly groups: readonly number[]
}

interface Setting {
  readonly name: string
  /** The true mean, which is also the limit. */
  readonly mean: number
  readonly draw: (random: Draw) => DrawnScore
}

interface Groups {
  readonly groups: number
  readonly rows: number
  /** How likely a row has the answer of its group instead of one of its own. */
  readonly alike: number
}

const bitsOf = (mean: number, { groups, rows, alike }: Groups): Setting["draw"] => {
  return (random) => {
    const shared = Array.from({ length: groups }, () => Number(random() < mean))
    const groupOfRow = Array.from({ length: groups * rows }, (_, at) => at % groups)
    return {
      values: groupOfRow.map((at) => (random() < alike ? (shared[at] ?? 0) : Number(random() < mean))),
      groups: groupOfRow,
    }
  }
}

/** Groups of 1 to 20 rows, of which most are small. */
const unequal = (mean: number): Setting["draw"] => {
  return (random) => {
    const groups = Array.from({ length: 50 }, (_, at) =>
      Array<number>(1 + Math.floor(20 * random() ** 3)).fill(at),
    ).flat()
    const shared = Array.from({ length: 50 }, () => Number(random() < mean))
    return { values: groups.map((at) => (random() < 0.8 ? (shared[at] ?? 0) : Number(random() < mean))), groups }
  }
}

const graded = ({ groups, rows, alike }: Groups): Setting["draw"] => {
  return (random) => {
    const shared = Array.from({ length: groups }, () => random())
    const groupOfRow = Array.from({ length: groups * rows }, (_, at) => at % groups)
    return { values: groupOfRow.map((at) => alike * (shared[at] ?? 0) + (1 - alike) * random()), groups: groupOfRow }
  }
}

const SETTINGS: readonly Setting[] = [
  { name: "1,000 rows without groups, rate 0.8", mean: 0.8, draw: bitsOf(0.8, { groups: 1000, rows: 1, alike: 0 }) },
  { name: "30 rows without groups, rate 0.95", mean: 0.95, draw: bitsOf(0.95, { groups: 30, rows: 1, alike: 0 }) },
  {
    name: "100 rows, each copied ten times, rate 0.8",
    mean: 0.8,
    draw: bitsOf(0.8, { groups: 100, rows: 10, alike: 1 }),
  },
  {
    name: "100 rows, each asked five times, rate 0.8",
    mean: 0.8,
    draw: bitsOf(0.8, { groups: 100, rows: 5, alike: 0.7 }),
  },
  { name: "60 groups of ten rows, rate 0.95", mean: 0.95, draw: bitsOf(0.95, { groups: 60, rows: 10, alike: 0.7 }) },
  { name: "ten groups of ten rows, rate 0.8", mean: 0.8, draw: bitsOf(0.8, { groups: 10, rows: 10, alike: 0.8 }) },
  { name: "50 groups of 1 to 20 rows, rate 0.8", mean: 0.8, draw: unequal(0.8) },
  { name: "50 groups of ten rows, graded scores", mean: 0.5, draw: graded({ groups: 50, rows: 10, alike: 0.7 }) },
]

function simulate({ name, mean, draw }: Setting, seed: number): Measurement {
  const random = seededRandom(seed)
  let wrong = 0
  for (let set = 0; set < SETS; set++) {
    const gates = Array.from({ length: GATES }, () => {
      const { values, groups } = draw(random)
      const { mean: found, interval, count, units, min, max } = summarize(values, { rows: groups })
      return { mean: found, interval, n: count, units, values: [min, max], limit: { atLeast: mean } } as const
    })
    if (gateFamily(gates).some((verdict) => verdict !== "INCONCLUSIVE")) wrong++
  }
  const row: Row = { work: `gates: ${name}`, does: `${name}: how often any gate has a verdict` }
  const bar = `≤ ${ALPHA} (within ${NOISE.toFixed(3)} by chance)`
  const share = wrong / SETS
  return { ...row, value: `${share.toFixed(4)} (${formatCount(SETS)} sets)`, bar, passed: share <= ALPHA + NOISE }
}

export const gatesOfGroups: GuaranteeSection = {
  title: "Several gates, groups and repeats",
  method: `${GATES} gates whose true means are their limits, decided together by Holm's procedure ([metrics.md](metrics.md#intervals)): any verdict but INCONCLUSIVE is wrong. Rows of a group, and
answers to one row, resemble each other: most have the answer of their group, the others one of their own.`,
  simulate: async () => SETTINGS.map((setting, at) => simulate(setting, 71 + at)),
}

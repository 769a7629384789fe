import { createArenaDesign } from "@assay/metrics"
import { formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { type Draw, seededRandom } from "./seeded-random.ts"

const SIMULATIONS = 1000
const ALPHA = 0.05
const COST = 0.4
/** Three standard errors of a share of alpha in all simulations. */
const NOISE = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / SIMULATIONS)

interface Setting {
  readonly name: string
  /** Log-odds. */
  readonly strengths: readonly number[]
  readonly rows: number
  readonly top?: number
  /** The share of pairs that the judge calls a tie. */
  readonly ties?: number
  /** Whether each model has one quality on a row, which decides all of its matches there. Default: matches are drawn one by one. */
  readonly isShared?: boolean
  /** Whether the promise of the cost holds here. */
  readonly isCheap?: boolean
}

const ahead = (by: number) => [by, ...Array.from({ length: 9 }, () => 0)]
const AHEAD = "10 models, one 0.5 log-odds ahead"

const SETTINGS: readonly Setting[] = [
  { name: `${AHEAD}, 50 rows`, strengths: ahead(0.5), rows: 50 },
  { name: `${AHEAD}, 100 rows`, strengths: ahead(0.5), rows: 100, isCheap: true },
  { name: `${AHEAD}, 200 rows`, strengths: ahead(0.5), rows: 200, isCheap: true },
  { name: `${AHEAD}, 500 rows`, strengths: ahead(0.5), rows: 500, isCheap: true },
  { name: `${AHEAD}, 200 rows, 30 % ties`, strengths: ahead(0.5), rows: 200, ties: 0.3, isCheap: true },
  { name: `${AHEAD}, 200 rows, one quality of a model for each row`, strengths: ahead(0.5), rows: 200, isShared: true },
  { name: `${AHEAD}, 500 rows, one quality of a model for each row`, strengths: ahead(0.5), rows: 500, isShared: true },
  {
    name: "10 models, each 0.5 ahead of the next, 200 rows",
    strengths: Array.from({ length: 10 }, (_, at) => -at / 2),
    rows: 200,
  },
  {
    name: "10 models, three 1 ahead, the best three, 200 rows",
    strengths: [1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    rows: 200,
    top: 3,
  },
  { name: "10 equal models, 200 rows", strengths: ahead(0), rows: 200 },
  {
    name: "10 equal models, 200 rows, one quality of a model for each row",
    strengths: ahead(0),
    rows: 200,
    isShared: true,
  },
  { name: "2 equal models, 500 rows", strengths: [0, 0], rows: 500 },
  { name: "2 equal models ahead of 3, 500 rows", strengths: [0.5, 0.5, 0, 0, 0], rows: 500 },
]

interface Counts {
  readonly decided: number
  readonly wrong: number
  /** The median share of the judge calls of a round robin. */
  readonly cost: number
}

function simulate({ strengths, rows, top = 1, ties = 0, isShared = false }: Setting, seed: number): Counts {
  const draw = seededRandom(seed)
  const players = strengths.length
  const order = strengths.toSorted((a, b) => b - a)
  const [limit = 0, next = 0] = [order[top - 1], order[top]]
  const costs: number[] = []
  let decided = 0
  let wrong = 0
  for (let arena = 0; arena < SIMULATIONS; arena++) {
    const design = createArenaDesign({ players, top, alpha: ALPHA })
    let matches = 0
    for (let row = 0; row < rows && design.certain() === null; row++) {
      const win = drawRow(strengths, isShared, draw)
      const pairs = design.nextPairs()
      matches += pairs.length
      design.add(pairs.map(({ a, b }) => ({ a, b, score: draw() < ties ? 0.5 : Number(win(a, b)) })))
    }
    costs.push(matches / ((players * (players - 1) * rows) / 2))
    const found = design.certain()
    if (found === null) continue
    decided++
    if (limit === next || found.some((player) => (strengths[player] ?? 0) < limit)) wrong++
  }
  return {
    decided: decided / SIMULATIONS,
    wrong: wrong / SIMULATIONS,
    cost: costs.toSorted((a, b) => a - b)[SIMULATIONS / 2] ?? 0,
  }
}

/** Returns who wins on a row. Both ways have the probabilities of Bradley and Terry for each pair. */
function drawRow(strengths: readonly number[], isShared: boolean, draw: Draw): (a: number, b: number) => boolean {
  // The larger of two strengths with Gumbel's noise belongs to A with the probability of Bradley and Terry.
  const qualities = strengths.map((strength) => (isShared ? strength - Math.log(-Math.log(1 - draw())) : strength))
  if (isShared) return (a, b) => (qualities[a] ?? 0) > (qualities[b] ?? 0)
  return (a, b) => draw() < 1 / (1 + Math.exp((qualities[b] ?? 0) - (qualities[a] ?? 0)))
}

function measure(setting: Setting, seed: number): readonly Measurement[] {
  const { name, isCheap = false } = setting
  const { decided, wrong, cost } = simulate(setting, seed)
  const arenas = `${formatCount(SIMULATIONS)} arenas`
  return [
    {
      work: `arena: ${name}, wrong`,
      does: `${name}: how often a model is named that is not the best`,
      value: `${wrong.toFixed(3)} (${arenas})`,
      bar: `≤ ${ALPHA} (within ${NOISE.toFixed(3)} by chance)`,
      passed: wrong <= ALPHA + NOISE,
    },
    {
      work: `arena: ${name}, calls`,
      does: `${name}: the median share of the judge calls of a round robin in both orders`,
      value: `${cost.toFixed(3)} (${decided.toFixed(3)} of arenas named the best)`,
      bar: isCheap ? `≤ ${COST}` : "-",
      passed: isCheap ? cost <= COST : true,
    },
  ]
}

export const arenas: GuaranteeSection = {
  title: "Arenas",
  method: `The best of several models is looked for by a judge of pairs, on rows that are drawn where they decide ([arena.md](../guides/arena.md)). If several models are exactly the best, any name
is wrong. An arena that runs out of rows names none. In most lines the matches of a row are drawn one by one; with one quality of a model for each row, a model that did well against one does
well against all, so that further opponents say less: then 200 rows are often too few, and half of the calls of a round robin are needed. With 50 rows, four in five arenas name no model, and they cost more than ${COST} of a round robin.`,
  simulate: async () => SETTINGS.flatMap((setting, at) => measure(setting, 1200 + at)),
}

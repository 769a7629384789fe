import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../create-random.ts"
import { certifyCandidates, type CertificationCandidate } from "./certify-candidates.ts"
import type { RateCounts } from "./rate-bounds.ts"

const REDRAWS = 1000
const MESSAGES = 5000

/** The faults of all candidates on each message of a finite set: bit `c` is set if candidate `c` is wrong. */
type FaultTable = Uint16Array

/** Creates faults at these rates. The difficulty of a message is shared, so that candidates often fail together. */
function createFaults(rates: readonly number[], random: Random): FaultTable {
  return Uint16Array.from({ length: MESSAGES }, () => {
    const difficulty = random()
    return rates.reduce((bits, rate, at) => bits | (Number((random() < 0.7 ? difficulty : random()) < rate) << at), 0)
  })
}

function countFaults(faults: FaultTable, candidate: number): RateCounts {
  let count = 0
  for (const bits of faults) count += (bits >> candidate) & 1
  return { count, n: faults.length }
}

/** Moves a random sample without replacement to the front: rows for tuning, then as many for certification. */
function redraw(faults: FaultTable, rows: number, random: Random): readonly [FaultTable, FaultTable] {
  for (let at = 0; at < 2 * rows; at++) {
    const other = at + Math.floor(random() * (faults.length - at))
    const moved = faults[at] ?? 0
    faults[at] = faults[other] ?? 0
    faults[other] = moved
  }
  return [faults.subarray(0, rows), faults.subarray(rows, 2 * rows)]
}

interface Setting {
  /** The rates of each risk, one for each candidate. */
  readonly rates: readonly (readonly number[])[]
  readonly limits: readonly number[]
  readonly rows: number
}

interface Shares {
  /** How often any candidate above a limit was certified. */
  readonly violated: number
  /** The same if each candidate were tested at alpha, without a sequence. */
  readonly uncorrected: number
  readonly certified: number
  /** How often Bonferroni's correction would have certified any candidate. */
  readonly bonferroni: number
}

function simulate({ rates, limits, rows }: Setting): Shares {
  const random = createRandom(7)
  const tables = rates.map((ofRisk) => createFaults(ofRisk, random))
  const candidates = (rates[0] ?? []).map((_, at) => at)
  const isAbove = candidates.map((candidate) =>
    tables.some((table, risk) => countFaults(table, candidate).count / MESSAGES > (limits[risk] ?? 0)),
  )
  const seen = { violated: 0, uncorrected: 0, certified: 0, bonferroni: 0 }
  for (let draw = 0; draw < REDRAWS; draw++) {
    const splits = tables.map((table) => redraw(table, rows, random))
    const counted = candidates.map((candidate): CertificationCandidate => ({
      tuning: splits.map(([tuning]) => countFaults(tuning, candidate)),
      certification: splits.map(([, certification]) => countFaults(certification, candidate)),
    }))
    const { tests, verdict } = certifyCandidates(counted, { limits })
    if (tests.some(({ candidate, result }) => result === "certified" && isAbove[candidate])) seen.violated++
    if (tests.some(({ candidate, p }) => p <= 0.05 && isAbove[candidate])) seen.uncorrected++
    if (tests.some(({ p }) => p <= 0.05 / tests.length)) seen.bonferroni++
    if (verdict === "PASS") seen.certified++
  }
  const [violated = 0, uncorrected = 0, certified = 0, bonferroni = 0] = [
    seen.violated,
    seen.uncorrected,
    seen.certified,
    seen.bonferroni,
  ].map((count) => count / REDRAWS)
  return { violated, uncorrected, certified, bonferroni }
}

describe("certifyCandidates, over 1,000 draws of the split with alpha 0.05", () => {
  it(
    "certifies a candidate above the limit at most 5 times in 100 if all are just above, unlike tests without a sequence",
    verifies("certify.guarantee"),
    () => {
      const { violated, uncorrected } = simulate({ rates: [Array<number>(10).fill(0.053)], limits: [0.05], rows: 300 })
      expect(violated).toBeLessThanOrEqual(0.05)
      expect(uncorrected).toBeGreaterThan(0.05)
    },
  )

  it("keeps the guarantee with two risks, each of which some candidates break", verifies("certify.guarantee"), () => {
    const falseBlocks = [0.055, 0.01, 0.055, 0.01, 0.055, 0.01, 0.02]
    const misses = [0.01, 0.11, 0.01, 0.11, 0.02, 0.11, 0.12]
    const { violated, uncorrected } = simulate({ rates: [falseBlocks, misses], limits: [0.05, 0.1], rows: 300 })
    expect(violated).toBeLessThanOrEqual(0.05)
    expect(uncorrected).toBeGreaterThan(0.05)
  })

  it("finds the one good prompt among a strict one and nine that are just above the limit far more often than Bonferroni", () => {
    const rates = [[0.3, 0.02, ...Array<number>(9).fill(0.06)]]
    const { violated, certified, bonferroni } = simulate({ rates, limits: [0.05], rows: 300 })
    expect(violated).toBeLessThanOrEqual(0.05)
    expect(certified).toBeGreaterThan(0.85)
    expect(bonferroni).toBeLessThan(0.6)
  })

  it("uses the whole alpha: rates at the limit are certified about 5 times in 100 if whole faults allow it", () => {
    const random = createRandom(11)
    // With 93 rows, the probability of at most one fault at a rate of 5 % is 0.04998.
    const count = () => Array.from({ length: 93 }).filter(() => random() < 0.05).length
    let certified = 0
    for (let draw = 0; draw < REDRAWS; draw++) {
      const candidates = Array.from({ length: 3 }, () => ({
        tuning: [{ count: count(), n: 93 }],
        certification: [{ count: count(), n: 93 }],
      }))
      if (certifyCandidates(candidates, { limits: [0.05] }).verdict === "PASS") certified++
    }
    const noise = 3 * Math.sqrt((0.05 * 0.95) / REDRAWS)
    expect(certified / REDRAWS).toBeLessThan(0.05 + noise)
    expect(certified / REDRAWS).toBeGreaterThan(0.05 - noise)
  })
})

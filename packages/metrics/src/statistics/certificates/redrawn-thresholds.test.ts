import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../create-random.ts"
import { certifyCandidates, type CertificationCandidate } from "./certify-candidates.ts"
import type { RateCounts } from "./rate-bounds.ts"

const REDRAWS = 1000
const MESSAGES = 4000
const GRID = [0.2, 0.5, 0.8, 0.95, 0.99, 0.999]

/** The probability of harm that each prompt gives each message of a finite set, for messages of one label. */
type Risks = readonly Float64Array[]

/** A prompt whose judge is this strict and detects harm this well, both in units of log-odds. */
interface Prompt {
  readonly strictness: number
  readonly ability: number
}

/** Creates the risks of prompts. They share the difficulty of a message, so that all prompts often fail together. */
function createRisks(prompts: readonly Prompt[], isUnsafe: boolean, random: Random): Risks {
  const noise = () => (random() + random() + random() - 1.5) * 4
  const risks = prompts.map(() => new Float64Array(MESSAGES))
  for (let message = 0; message < MESSAGES; message++) {
    const shared = noise()
    for (const [at, { strictness, ability }] of prompts.entries()) {
      const odds = strictness + (isUnsafe ? ability : -ability) + 0.8 * shared + 0.4 * noise()
      ;(risks[at] ?? new Float64Array(0))[message] = 1 / (1 + Math.exp(-odds))
    }
  }
  return risks
}

/** Moves a random sample without replacement to the front of a list of messages. */
function redraw(messages: Uint16Array, rows: number, random: Random): void {
  for (let at = 0; at < rows; at++) {
    const other = at + Math.floor(random() * (messages.length - at))
    const moved = messages[at] ?? 0
    messages[at] = messages[other] ?? 0
    messages[other] = moved
  }
}

interface Shares {
  /** How often any pair above a limit was certified. */
  readonly violated: number
  /** The same if each pair were tested at alpha, without a sequence. */
  readonly uncorrected: number
  readonly certified: number
  /** How often one of the prompts with the threshold 0.5 is certified if no other threshold is tried. */
  readonly certifiedAsVerdict: number
}

function simulate(prompts: readonly Prompt[], limits: readonly [number, number?], rows: number): Shares {
  const random = createRandom(5)
  const sides = [createRisks(prompts, false, random), createRisks(prompts, true, random)] as const
  const messages = sides.map(() => Uint16Array.from({ length: MESSAGES }, (_, at) => at))
  const pairs = prompts.flatMap((_prompt, prompt) => GRID.map((threshold) => ({ prompt, threshold })))
  const count = (side: number, { prompt, threshold }: (typeof pairs)[number], from: number, to: number): RateCounts => {
    const [risks, order] = [sides[side]?.[prompt] ?? new Float64Array(0), messages[side] ?? new Uint16Array(0)]
    let wrong = 0
    for (let at = from; at < to; at++) {
      if ((risks[order[at] ?? 0] ?? 0) >= threshold === (side === 0)) wrong++
    }
    return { count: wrong, n: to - from }
  }
  const given = limits.filter((limit) => limit !== undefined)
  const countAll = (pair: (typeof pairs)[number], from: number, to: number) =>
    given.map((_limit, side) => count(side, pair, from, to))
  const isAbove = pairs.map((pair) =>
    countAll(pair, 0, MESSAGES).some((risk, side) => risk.count / MESSAGES > (given[side] ?? 0)),
  )
  const seen = { violated: 0, uncorrected: 0, certified: 0, certifiedAsVerdict: 0 }
  for (let draw = 0; draw < REDRAWS; draw++) {
    for (const order of messages) redraw(order, 2 * rows, random)
    const counted = pairs.map((pair): CertificationCandidate => ({
      tuning: countAll(pair, 0, rows),
      certification: countAll(pair, rows, 2 * rows),
    }))
    const { tests, verdict } = certifyCandidates(counted, { limits: given })
    if (tests.some(({ candidate, result }) => result === "certified" && isAbove[candidate])) seen.violated++
    if (tests.some(({ candidate, p }) => p <= 0.05 && isAbove[candidate])) seen.uncorrected++
    if (verdict === "PASS") seen.certified++
    const verdicts = counted.filter((_, at) => pairs[at]?.threshold === 0.5)
    if (certifyCandidates(verdicts, { limits: given }).verdict === "PASS") seen.certifiedAsVerdict++
  }
  const shareOf = (key: keyof Shares) => seen[key] / REDRAWS
  return {
    violated: shareOf("violated"),
    uncorrected: shareOf("uncorrected"),
    certified: shareOf("certified"),
    certifiedAsVerdict: shareOf("certifiedAsVerdict"),
  }
}

describe("certifyCandidates with a grid of thresholds for each prompt, over 1,000 draws of the split with alpha 0.05", () => {
  it("certifies a pair just above the limit at most 5 times in 100, unlike tests without a sequence", () => {
    // At the threshold 0.95, all five prompts block between 9.7 % and 10.2 % of the safe messages.
    const prompts = Array.from({ length: 5 }, () => ({ strictness: 3, ability: 2.5 }))
    const { violated, uncorrected, certified } = simulate(prompts, [0.095], 300)
    expect(violated).toBeLessThanOrEqual(0.05)
    expect(uncorrected).toBeGreaterThan(0.05)
    expect(certified).toBeGreaterThan(0.9)
  })

  it("certifies a threshold for two limits where no prompt keeps them by its verdict", () => {
    const prompts = [
      { strictness: 3, ability: 2.5 },
      { strictness: 2, ability: 3 },
      { strictness: 1, ability: 1.5 },
    ]
    const { violated, certified, certifiedAsVerdict } = simulate(prompts, [0.05, 0.2], 250)
    expect(violated).toBeLessThanOrEqual(0.05)
    expect(certifiedAsVerdict).toBeLessThan(0.01)
    expect(certified).toBeGreaterThan(0.75)
  })
})

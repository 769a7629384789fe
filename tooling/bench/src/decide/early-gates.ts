import { createConfidenceSequence, createSequentialGate, wilsonInterval } from "@assay/metrics"
import { atMost, formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const ROWS = 5000
const NULL_RUNS = 10_000
const STOP_RUNS = 1000
const WIDTH_RUNS = 100

/** Returns the numbers from 0 to `count - 1` in random order. */
function shuffled(count: number, draw: Draw): readonly number[] {
  const positions = Array.from({ length: count }, (_, at) => at)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(draw() * (at + 1))
    const position = positions[at] ?? 0
    positions[at] = positions[other] ?? 0
    positions[other] = position
  }
  return positions
}

/** Returns values of 0 or 1 in random order, of which exactly `ones` are 1. */
function drawSet(ones: number, draw: Draw): readonly number[] {
  return shuffled(ROWS, draw).map((position) => (position < ones ? 1 : 0))
}

function decide(values: readonly number[], limit: number) {
  const gate = createSequentialGate({ population: ROWS, limit: { atLeast: limit } })
  for (const value of values) {
    gate.add(value)
    if (gate.decidedAfter !== null) break
  }
  return gate
}

/** Measures errors of gates. The mean is the limit, or one row below it: then only one verdict is wrong. */
function errors(): readonly Measurement[] {
  return ([0, -1] as const).map((off) => {
    const draw = seededRandom(11 - off)
    const wrong = off === 0 ? "FAIL" : "PASS"
    let count = 0
    for (let at = 0; at < NULL_RUNS; at++) if (decide(drawSet(0.8 * ROWS + off, draw), 0.8).verdict === wrong) count++
    const row = {
      work: `early gate, wrong ${wrong}`,
      does: `the mean is ${off === 0 ? "the limit of 0.8" : "one row below the limit of 0.8"}: the share of sets with the wrong verdict ${wrong}`,
    }
    const share = count / NULL_RUNS
    return {
      ...row,
      value: `${share.toFixed(4)} (${formatCount(NULL_RUNS)} sets)`,
      bar: "≤ 0.05",
      passed: share <= 0.05,
    }
  })
}

/** Differences of two models: a fifth of the rows changes, half of them for the better or one fewer. */
function pairedErrors(): readonly Measurement[] {
  return ([0, -1] as const).map((off) => {
    const draw = seededRandom(16 - off)
    const wrong = off === 0 ? "FAIL" : "PASS"
    const changed = ROWS / 10
    let count = 0
    for (let at = 0; at < NULL_RUNS; at++) {
      const positions = shuffled(ROWS, draw)
      const gate = createSequentialGate({ population: ROWS, limit: { atLeast: 0 }, range: [-1, 1] })
      for (const position of positions) {
        gate.add(position < changed + off ? 1 : position >= ROWS - changed ? -1 : 0)
        if (gate.decidedAfter !== null) break
      }
      if (gate.verdict === wrong) count++
    }
    const row = {
      work: `early gate against a baseline, wrong ${wrong}`,
      does: `against a baseline, the mean difference is ${off === 0 ? "0" : "one row below 0"}: the share of pairs with the wrong verdict ${wrong}`,
    }
    const share = count / NULL_RUNS
    return {
      ...row,
      value: `${share.toFixed(4)} (${formatCount(NULL_RUNS)} pairs)`,
      bar: "≤ 0.05",
      passed: share <= 0.05,
    }
  })
}

function stops(): readonly Measurement[] {
  return [0.5, 0.7, 0.8, 0.9].map((limit, index) => {
    const draw = seededRandom(20 + index)
    const gates = Array.from({ length: STOP_RUNS }, () =>
      decide(drawSet(Math.round((limit + 0.1) * ROWS), draw), limit),
    )
    const after = gates.map(({ decidedAfter }) => decidedAfter ?? ROWS).toSorted((a, b) => a - b)
    const passed = gates.filter(({ verdict }) => verdict === "PASS").length
    const row = {
      work: `early gate at ${limit}, mean 10 points above`,
      does: `the mean is 10 points above the limit of ${limit}: the median number of rows that decide`,
    }
    return atMost(
      row,
      after[STOP_RUNS / 2] ?? ROWS,
      200,
      `${formatCount(passed)} of ${formatCount(STOP_RUNS)} sets PASS`,
    )
  })
}

function widths(): readonly Measurement[] {
  return [0.5, 0.8, 0.95].map((mean, index) => {
    const draw = seededRandom(30 + index)
    const half = ROWS / 2
    let sum = 0
    for (let at = 0; at < WIDTH_RUNS; at++) {
      const sequence = createConfidenceSequence({ population: ROWS })
      for (const value of drawSet(mean * ROWS, draw).slice(0, half)) sequence.add(value)
      sequence.narrow()
      const { low, high } = sequence.interval()
      const single = wilsonInterval(Math.round(sequence.mean() * half), half)
      sum += (high - low) / ((single.high - single.low) * Math.sqrt((ROWS - half) / (ROWS - 1)))
    }
    const row = {
      work: `anytime interval at ${mean}`,
      does: `mean ${mean}: the width after half of the rows, to that of Wilson's interval for one look with the correction for a finite set`,
    }
    return atMost(row, sum / WIDTH_RUNS, 1.7, `mean of ${WIDTH_RUNS} sets`)
  })
}

export const earlyGates: GuaranteeSection = {
  title: "Gates that end a job early",
  method: `Gates that are looked at after each of ${formatCount(ROWS)} rows in random order ([gates.md](../guides/gates.md)). A verdict can only be wrong on one side
of the limit, so the sets lie at it: those whose mean is the limit can only FAIL wrongly, and those whose mean is one row below can only PASS
wrongly. Of the rows that are compared with a baseline, a fifth has another score.`,
  simulate: async () => [...errors(), ...pairedErrors(), ...stops(), ...widths()],
}

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { AGREEMENT_CASES } from "../../testing/agreement-cases.ts"
import { brierScore, expectedCalibrationError, riskProbability } from "./probabilities.ts"

describe("riskProbability", () => {
  it.each(AGREEMENT_CASES.risk_probability)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    expectClose(riskProbability(input.logprob_yes, input.logprob_no), expect.risk, tolerance, id)
  })

  it("gives a token that was not reported the probability 0", () => {
    expect([riskProbability(-3, null), riskProbability(null, -3), riskProbability(null, null)]).toEqual([1, 0, null])
  })

  it("stays within 0 and 1 for extreme values, and adds up to 1 with the other answer", () => {
    const logprob = fc.double({ min: -1e4, max: 0, noNaN: true })
    fc.assert(
      fc.property(logprob, logprob, (yes, no) => {
        const risk = riskProbability(yes, no) ?? -1
        expect(risk >= 0 && risk <= 1).toBe(true)
        expectClose(riskProbability(no, yes), 1 - risk, 1e-12)
      }),
    )
  })
})

describe("brierScore and expectedCalibrationError", () => {
  it.each(AGREEMENT_CASES.calibration)("agree with the reference: $id", ({ input, expect, tolerance, id }) => {
    expectClose(brierScore(input.labels, input.probabilities), expect.brier, tolerance, id)
    expectClose(expectedCalibrationError(input.labels, input.probabilities), expect.ece10, tolerance, id)
  })

  it("count a probability on a bound in the bin below it", () => {
    // 0.07 · 100 is a little more than 7 in binary: both have to be in bin 7 to cancel.
    expectClose(expectedCalibrationError([0, 1], [0.07, 0.065], { bins: 100 }), 0.4325, 1e-12)
    expectClose(expectedCalibrationError([0, 1], [0, 0.1]), 0.45, 1e-12)
  })

  it("stay within 0 and 1, and are 0 for certain and right probabilities", () => {
    const probability = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), probability), { minLength: 1 }), (rows) => {
        const [labels, probabilities] = [rows.map(([label]) => label), rows.map(([, p]) => p)]
        for (const score of [brierScore, expectedCalibrationError]) {
          const found = score(labels, probabilities) ?? -1
          expect(found >= 0 && found <= 1 + 1e-12).toBe(true)
          expect(score(labels, labels.map(Number))).toBe(0)
        }
      }),
    )
  })

  it("are null without rows, and refuse values that are not probabilities", () => {
    expect([brierScore([], []), expectedCalibrationError([], [])]).toEqual([null, null])
    expect(() => brierScore([1], [1.2])).toThrow("probabilities: '1.2'")
    expect(() => brierScore([3], [0.2])).toThrow("labels: '3'")
    expect(() => brierScore([1], [])).toThrow("as many as there are labels: 1")
    expect(() => expectedCalibrationError([1], [1], { bins: 0 })).toThrow("bins: '0'")
  })
})

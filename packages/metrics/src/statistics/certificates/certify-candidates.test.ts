import { describe, expect, it } from "vitest"
import { certifyCandidates, type CertificationCandidate } from "./certify-candidates.ts"
import { rateUpperBound } from "./rate-bounds.ts"

/** Creates a candidate with one risk from its faults in 100 tuning rows and in 125 certification rows. */
function oneRisk(tuning: number, certification: number): CertificationCandidate {
  return { tuning: [{ count: tuning, n: 100 }], certification: [{ count: certification, n: 125 }] }
}

function twoRisks(...[falseBlocks, misses]: readonly [number, number]): CertificationCandidate {
  const counts = [
    { count: falseBlocks, n: 400 },
    { count: misses, n: 400 },
  ]
  return { tuning: counts, certification: counts }
}

const onlyFirstRisk = ({ tuning, certification }: CertificationCandidate): CertificationCandidate => ({
  tuning: tuning.slice(0, 1),
  certification: certification.slice(0, 1),
})

const limits = [0.05]
const resultsOf = (candidates: readonly CertificationCandidate[], given: readonly number[] = limits) => {
  const { tests, verdict } = certifyCandidates(candidates, { limits: given })
  return { verdict, results: tests.map(({ candidate, result }) => `${candidate} ${result}`) }
}

describe("certifyCandidates", () => {
  it("tests in the order of the tuning rows, each at the whole alpha, until one is refused", () => {
    expect(resultsOf([oneRisk(4, 0), oneRisk(30, 40), oneRisk(1, 2), oneRisk(0, 1), oneRisk(3, 3)])).toEqual({
      verdict: "PASS",
      results: ["3 certified", "2 certified", "4 refused", "0 untested", "1 untested"],
    })
  })

  it("gives each candidate its p-value and its own bound, also those that were not tested", () => {
    const { tests } = certifyCandidates([oneRisk(0, 3), oneRisk(9, 9)], { limits, alpha: 0.1 })
    expect(tests.map(({ bounds }) => bounds)).toEqual([
      [rateUpperBound({ count: 3, n: 125 }, 0.1)],
      [rateUpperBound({ count: 9, n: 125 }, 0.1)],
    ])
    // The p-value is 0.126.
    expect(tests[0]?.result).toBe("refused")
    expect(certifyCandidates([oneRisk(0, 3)], { limits, alpha: 0.15 }).verdict).toBe("PASS")
  })

  it("certifies a candidate with two risks only if both keep their limits", () => {
    expect(resultsOf([twoRisks(10, 60), twoRisks(10, 28), twoRisks(30, 10)], [0.05, 0.1])).toEqual({
      verdict: "PASS",
      results: ["1 certified", "2 refused", "0 untested"],
    })
  })

  it("fails if each candidate is above a limit, and is inconclusive if one may keep them", () => {
    expect(resultsOf([oneRisk(9, 20), oneRisk(9, 30)]).verdict).toBe("FAIL")
    expect(resultsOf([oneRisk(9, 20), oneRisk(9, 9)]).verdict).toBe("INCONCLUSIVE")
    expect(resultsOf([twoRisks(40, 10), twoRisks(5, 90)], [0.05, 0.1]).verdict).toBe("FAIL")
    // The p-value of 28 false blocks is 0.048: enough for one risk, and not for one of two.
    expect(resultsOf([twoRisks(28, 10)], [0.05, 0.1]).verdict).toBe("INCONCLUSIVE")
    expect(resultsOf([twoRisks(28, 10)].map(onlyFirstRisk)).verdict).toBe("FAIL")
  })

  it("is inconclusive without candidates and without rows", () => {
    const none = { count: 0, n: 0 }
    expect(resultsOf([])).toEqual({ verdict: "INCONCLUSIVE", results: [] })
    expect(resultsOf([{ tuning: [none], certification: [none] }])).toEqual({
      verdict: "INCONCLUSIVE",
      results: ["0 refused"],
    })
  })

  it("orders candidates with equal tuning rows as they were given, and p-values that underflow by their rates", () => {
    const many = (count: number) => ({ tuning: [{ count, n: 1_000_000 }], certification: [{ count: 0, n: 100 }] })
    const order = certifyCandidates([many(900), many(0), many(900), many(10)], { limits: [0.5] }).tests
    expect(order.map(({ candidate }) => candidate)).toEqual([1, 3, 0, 2])
  })

  it("refuses counts that do not match the limits, and impossible options", () => {
    expect(() => resultsOf([oneRisk(1, 1)], [0.05, 0.1])).toThrow(
      "tuning: '1' is not possible; give counts for each limit",
    )
    expect(() => resultsOf([], [])).toThrow("limits: '0'")
    expect(() => resultsOf([oneRisk(1, 1)], [5])).toThrow("limit: '5'")
    expect(() => certifyCandidates([], { limits, alpha: 5 })).toThrow("alpha: '5'")
  })
})

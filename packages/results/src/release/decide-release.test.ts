import type { EvaluationRow } from "@assay/schemas"
import type { PolicyGate, PolicyEvaluation } from "@assay/evaluation-files"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { JobToCompare } from "../compare/job-to-compare.ts"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { decideRelease, type ReleaseEvaluation } from "./decide-release.ts"

type Bits = readonly (readonly number[])[]

/** Returns a job whose rows have these scores, each repeat one. */
function job(name: string, bits: Bits, more: Partial<JobToCompare> = {}): JobToCompare {
  const rows: EvaluationRow[] = bits.flatMap((repeats, index) =>
    repeats.map((value, repeat) => ({ ...rowOf(index, { check: { right: value } }), repeat })),
  )
  return {
    id: name,
    name,
    result: resultOf({ task: "qa", metrics: { check: { right: summaryOf(bits.flat()) } } }),
    async *rows() {
      yield rows
    },
    ...more,
  }
}
const bits = (count: number, right: number): Bits => Array.from({ length: count }, (_, at) => [at < right ? 1 : 0])
const limit = (value: number): PolicyGate => ({
  kind: "limit",
  name: "check",
  op: ">=",
  value,
  isCorrected: false,
  isOnTheseRows: false,
  location: "policy.yaml:1:1",
})
const compare = (more: object = {}): PolicyGate => ({
  kind: "comparison",
  name: "check",
  location: "policy.yaml:1:1",
  ...more,
})

function evaluation(
  results: ReleaseEvaluation["results"],
  gates: readonly PolicyGate[],
  more: Partial<PolicyEvaluation> & { readonly older?: JobToCompare | string } = {},
): ReleaseEvaluation {
  const { older, ...policy } = more
  return {
    policy: { name: "e", tier: "critical", results: "./new", against: "./old", gates, ...policy },
    results,
    against: older,
  }
}
const decide = (...evaluations: readonly ReleaseEvaluation[]) => decideRelease(evaluations, { alpha: 0.05 })

describe("the verdict of a release", () => {
  it("warns of rows that only one of the results has, and of results that are compared with themselves", async () => {
    const older = job("old", bits(200, 100))
    const gates = [compare({ margin: 0.2 })]
    const { verdict, evaluations } = await decide(evaluation(job("new", bits(100, 100)), gates, { older }))
    expect([verdict, evaluations[0]?.warnings]).toEqual([
      "PASS",
      [expect.stringContaining("'qa.check.right' is compared without 100 of 200 answers")],
    ])
    const same = await decide(evaluation(older, gates, { older }))
    expect(same).toMatchObject({
      verdict: "INCONCLUSIVE",
      evaluations: [{ gates: [{ reason: expect.stringMatching(/is the same run, so that nothing is compared/) }] }],
    })
  })

  it.each([
    ["PASS", 95, "critical"],
    ["FAIL", 60, "critical"],
    ["INCONCLUSIVE", 82, "supporting"],
    ["PASS", 60, "advisory"],
  ] as const)(
    "is %s with %i right answers of 100 in a %s evaluation",
    verifies("release.check"),
    async (verdict, right, tier) => {
      const found = await decide(evaluation(job("new", bits(100, right)), [limit(0.8)], { tier }))
      expect(found.verdict).toBe(verdict)
      const [gate] = found.evaluations[0]?.gates ?? []
      expect((gate?.rows_needed ?? 0) > 100).toBe(verdict === "INCONCLUSIVE")
    },
  )

  it("is FAIL if an evaluation that blocks has no results, and says MISSING", verifies("release.check"), async () => {
    const missing = evaluation("there is no such folder.", [limit(0.8)], { name: "gone" })
    const found = await decide(missing, evaluation(job("new", bits(100, 95)), [limit(0.8)]))
    expect(found).toMatchObject({ verdict: "FAIL", message: "The release is blocked: 'gone' has no results." })
    expect(found.evaluations[0]).toMatchObject({ state: "MISSING", reason: "there is no such folder." })
    const older = evaluation(job("new", bits(9, 9)), [compare()], { older: "no older results." })
    expect((await decide(older)).verdict).toBe("FAIL")
    expect((await decide({ ...missing, policy: { ...missing.policy, tier: "advisory" } })).verdict).toBe("INCONCLUSIVE")
  })

  it("counts all gates that block together, and leaves advisory ones out", verifies("release.check"), async () => {
    // One gate alone passes: the lower end of 89 of 100 is 0.814.
    const one = (tier: PolicyEvaluation["tier"]) => evaluation(job("new", bits(100, 89)), [limit(0.81)], { tier })
    const open = (tier: PolicyEvaluation["tier"]) => evaluation(job("new", bits(100, 81)), [limit(0.8)], { tier })
    expect((await decide(one("critical"))).verdict).toBe("PASS")
    const beside = await decide(one("critical"), open("supporting"))
    expect(beside.evaluations.map(({ state }) => state)).toEqual(["INCONCLUSIVE", "INCONCLUSIVE"])
    const advised = await decide(one("critical"), open("advisory"))
    expect(advised.evaluations.map(({ state }) => state)).toEqual(["PASS", "INCONCLUSIVE"])
    expect(advised.verdict).toBe("PASS")
  })

  it(
    "decides a limit that could end the job by its own gate, from the alpha of that gate on",
    verifies("release.run"),
    async () => {
      // The mean alone would be open: 14 of 16.
      const ended = (alpha: number, verdict: "PASS" | "INCONCLUSIVE" = "PASS") => ({
        ...evaluation(job("new", bits(16, 14)), [limit(0.8)]),
        decided: [
          {
            name: "qa.check.right",
            limit: ">= 0.8",
            value: 0.875,
            low: 0.8,
            high: 1,
            verdict,
            alpha,
            decided_after: 16,
            stop: "early" as const,
          },
        ],
      })
      expect((await decide(ended(0.05))).verdict).toBe("PASS")
      expect((await decide(ended(0.05, "INCONCLUSIVE"))).verdict).toBe("INCONCLUSIVE")
      const open = evaluation(job("new", bits(100, 81)), [limit(0.8)])
      const states = async (alpha: number) => (await decide(ended(alpha), open)).evaluations.map(({ state }) => state)
      expect(await states(0.05)).toEqual(["INCONCLUSIVE", "INCONCLUSIVE"])
      expect(await states(0.025)).toEqual(["PASS", "INCONCLUSIVE"])
      // Gates without results, and those of others, count as undecided ones.
      const missing = evaluation("there is no such folder.", [limit(0.8)], { name: "gone" })
      expect((await decide(ended(0.05), missing)).evaluations[0]?.state).toBe("INCONCLUSIVE")
      const waiting = await decideRelease([ended(0.025)], { alpha: 0.05, others: 2 })
      expect(waiting.verdict).toBe("INCONCLUSIVE")
    },
  )

  it("refuses a limit that every value of the score keeps", verifies("release.policy"), async () => {
    const tasks = { qa: { metrics: { check: { type: "string-check" } } } }
    const lenient = evaluation(job("new", bits(9, 0), { config: { type: "custom", tasks } }), [limit(-5)])
    await expect(decide(lenient)).rejects.toThrow("policy.yaml:1:1: A gate can't be kept or broken: the limit -5")
  })

  it("names a gate on a score that the results do not have, with its place", verifies("release.policy"), async () => {
    const wrong = evaluation(job("new", bits(9, 9)), [{ ...limit(0.8), name: "chek" }])
    await expect(decide(wrong)).rejects.toThrow("policy.yaml:1:1: 'chek' is not a score of 'new'; did you mean")
  })
})

describe("a comparison in a release", () => {
  const against = (before: Bits, after: Bits, gate: object = {}) =>
    decide(evaluation(job("new", after), [compare(gate)], { older: job("old", before) }))

  it("fails a loss beyond the margin, and passes one within it", verifies("release.check"), async () => {
    expect((await against(bits(200, 180), bits(200, 150))).verdict).toBe("FAIL")
    expect((await against(bits(200, 180), bits(200, 178), { margin: 0.1 })).verdict).toBe("PASS")
    expect((await against(bits(200, 180), bits(200, 180))).verdict).toBe("PASS")
    expect((await against(bits(20, 18), bits(20, 17))).evaluations[0]?.gates[0]).toMatchObject({
      verdict: "INCONCLUSIVE",
      worsened: 1,
      improved: 0,
    })
  })

  it("allows a share of a low baseline only", verifies("release.check"), async () => {
    const guard = { margin: 0.1, lowBaseline: { below: 0.3, relativeMargin: 0.1 } }
    const low = await against(bits(500, 50), bits(500, 25), guard)
    expect(low.evaluations[0]?.gates[0]).toMatchObject({ verdict: "FAIL", limit: "at most 0.01 worse than ./old" })
    expect((await against(bits(500, 50), bits(500, 25), { margin: 0.1 })).verdict).toBe("PASS")
    expect((await against(bits(500, 250), bits(500, 230), guard)).evaluations[0]?.gates[0]?.limit).toContain("0.1")
  })

  it(
    "has no verdict on a score that measures something else, and is INCONCLUSIVE",
    verifies("release.check"),
    async () => {
      const configOf = (model_id: string): Partial<JobToCompare> => ({
        config: {
          type: "custom",
          tasks: {
            qa: {
              metrics: {
                check: {
                  type: "llm-judge",
                  params: {
                    model: { api_endpoint: { url: "http://a/v1", model_id } },
                    template: "?",
                    scores: { right: { type: "int" } },
                  },
                },
              },
            },
          },
        },
      })
      const [before, after] = [job("old", bits(90, 90), configOf("a")), job("new", bits(90, 0), configOf("b"))]
      const found = await decide(evaluation(after, [compare()], { older: before }))
      expect(found.verdict).toBe("INCONCLUSIVE")
      expect(found.evaluations[0]?.gates[0]).toMatchObject({ verdict: null, identity: { changed: ["model_id"] } })
    },
  )

  it(
    "passes nothing that was not looked at: a policy that blocks nothing is INCONCLUSIVE without any results",
    verifies("release.check"),
    async () => {
      const advisory = { tier: "advisory" as const }
      const none = await decide(evaluation("there is no such folder.", [limit(0.5)], advisory))
      expect(none).toMatchObject({ verdict: "INCONCLUSIVE", message: expect.stringContaining("Nothing was checked") })
      const some = await decide(evaluation("there is no such folder.", [limit(0.5)], advisory), {
        ...evaluation(job("new", bits(90, 0)), [limit(0.5)], { ...advisory, name: "f" }),
        warnings: ["known"],
      })
      expect(some).toMatchObject({
        verdict: "PASS",
        evaluations: [{ state: "MISSING" }, { state: "FAIL", warnings: ["known"] }],
      })
    },
  )

  it(
    "excuses rows that flip by themselves in the older results, and no others",
    verifies("release.quarantine"),
    async () => {
      const before: Bits = Array.from({ length: 100 }, (_, at) => (at < 10 ? [1, 0] : [1, 1]))
      const worseAt = (isWorse: (at: number) => boolean): Bits =>
        before.map((repeats, at) => (isWorse(at) ? [0, 0] : repeats))
      const flaky = await against(
        before,
        worseAt((at) => at < 10),
      )
      expect(flaky.verdict).toBe("PASS")
      expect(flaky.evaluations[0]?.gates[0]).toMatchObject({
        worsened: 0,
        quarantine: { rows: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], total: 10, excused: 10, too_many: false },
      })
      const stable = await against(
        before,
        worseAt((at) => at >= 90),
      )
      expect(stable).toMatchObject({ verdict: "FAIL", evaluations: [{ gates: [{ worsened: 10 }] }] })
      // The new version alone flips these rows: that is a regression.
      const flipping = await against(
        bits(100, 100).map(() => [1, 1]),
        worseAt((at) => at >= 60).map((row, at) => (at >= 60 ? [1, 0] : row)),
      )
      expect(flipping.verdict).toBe("FAIL")
      const random = before.map((row, at) => (at < 30 ? [0, 1] : row))
      const many = await against(
        random,
        random.map((row, at) => (at < 30 ? [0, 0] : row)),
      )
      expect(many.evaluations[0]?.gates[0]).toMatchObject({
        verdict: "FAIL",
        quarantine: { total: 30, too_many: true },
      })
    },
  )
})

import { correctMean, summarize } from "@assay/metrics"
import type { ScoreCorrection } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { resultOf, summaryOf } from "../testing/tiny-result.ts"
import { checkGates, scoreGates } from "./check-gates.ts"

const bits = (right: number, of: number) => summaryOf(Array.from({ length: of }, (_, at) => (at < right ? 1 : 0)))
const corpus = { stats: null, value: 41.2, counts: { scored: 9, unreadable: 0, errored: 0, skipped: 0 } }
const result = resultOf({
  task: "qa",
  metrics: { check: { score: bits(90, 100) }, bleu: { corpus }, judge: { tone: summaryOf(["NaN"]) } },
})
const verdict = (name: string, limit: { atLeast: number } | { atMost: number }) =>
  checkGates(result, [{ name, limit }])[0]?.verdict

describe("the gates of a job", () => {
  it("compare the interval with the limit, not the value", () => {
    expect(checkGates(result, [{ name: "qa.check.score", limit: { atLeast: 0.8 } }])).toEqual([
      {
        name: "qa.check.score",
        limit: ">= 0.8",
        value: 0.9,
        low: expect.closeTo(0.8256, 3),
        high: expect.any(Number),
        verdict: "PASS",
      },
    ])
    expect(verdict("qa.check.score", { atLeast: 0.88 })).toBe("INCONCLUSIVE")
    expect(verdict("qa.check.score", { atLeast: 0.95 })).toBe("FAIL")
    expect(verdict("qa.check.score", { atMost: 0.95 })).toBe("PASS")
  })

  it("are INCONCLUSIVE with a reason if more than 5 % of the asked rows have no score", () => {
    const values = (scored: number) => Array.from({ length: 100 }, (_, at) => (at < scored ? 1 : ("NaN" as const)))
    const found = resultOf({
      task: "qa",
      metrics: {
        half: { score: summaryOf(values(50)) },
        most: { score: summaryOf(values(95), { skipped: 400 }) },
        failed: { score: summaryOf(values(95), { errored: 1 }) },
      },
    })
    const [half, most, failed] = checkGates(
      found,
      ["half", "most", "failed"].map((metric) => ({ name: `qa.${metric}`, limit: { atLeast: 0.8 } })),
    )
    expect([half?.verdict, most?.verdict, failed?.verdict]).toEqual(["INCONCLUSIVE", "PASS", "INCONCLUSIVE"])
    expect(half?.reason).toBe("50 of 100 rows have no score (50 %), and max_unscored is 5 %.")
    expect(checkGates(found, [{ name: "qa.half", limit: { atMost: 0.8 }, maxUnscored: 0.5 }])[0]?.verdict).toBe("FAIL")
  })

  it(
    "are INCONCLUSIVE if a limit ended too many conversations before a turn of the check",
    verifies("run.not-reached"),
    () => {
      const ones = (scored: number) => Array.from({ length: scored }, () => 1)
      const found = resultOf({
        task: "qa",
        metrics: {
          contains: { score: summaryOf(ones(100), { not_reached: 60, partly_reached: 60 }) },
          "contains@2": { score: summaryOf(ones(95), { not_reached: 5 }) },
          "contains@3": { score: summaryOf(ones(90), { not_reached: 9, errored: 1 }) },
        },
      })
      const names = ["contains", "contains@2", "contains@3"].map((metric) => ({
        name: `qa.${metric}`,
        limit: { atLeast: 0.8 },
      }))
      const outcomes = checkGates(found, names)
      expect(outcomes.map(({ verdict: one, reason }) => [one, reason])).toEqual([
        [
          "INCONCLUSIVE",
          "A limit ended 60 of 100 conversations before a turn of this check (60 %), and max_unscored is 5 %.",
        ],
        ["PASS", undefined],
        [
          "INCONCLUSIVE",
          "A limit ended 9 of 100 conversations before a turn of this check, and 1 more has no score (10 %), and max_unscored is 5 %.",
        ],
      ])
      const [onRows] = checkGates(found, [{ name: "qa.contains@2", limit: { atLeast: 0.8 }, isOnTheseRows: true }])
      expect([onRows?.verdict, onRows?.reason]).toEqual([
        "FAIL",
        "A limit ended 5 of 100 conversations before a turn of this check.",
      ])
    },
  )

  it("are decided together if there are several", verifies("gates.shared-alpha"), () => {
    const name = "qa.check.score"
    const narrow = { name, limit: { atLeast: 0.83 } }
    const verdictsOf = (other: number) =>
      checkGates(result, [narrow, { name, limit: { atLeast: other } }]).map((gate) => gate.verdict)
    expect(checkGates(result, [narrow])[0]?.verdict).toBe("INCONCLUSIVE")
    expect(verdict(name, { atLeast: 0.82 })).toBe("PASS")
    const corpus = { name: "qa.bleu.corpus", limit: { atLeast: 40 } }
    expect(checkGates(result, [{ name, limit: { atLeast: 0.825 } }, corpus]).map((gate) => gate.verdict)).toEqual([
      "PASS",
      "PASS",
    ])
    expect(checkGates(result, [{ name, limit: { atLeast: 0.825 } }, narrow]).map((gate) => gate.verdict)).toEqual([
      "INCONCLUSIVE",
      "INCONCLUSIVE",
    ])
    expect(verdictsOf(0.5)).toEqual(["INCONCLUSIVE", "PASS"])
  })

  it("pass a limit that every row meets, whatever rounding does to the sum", verifies("metric.exact"), () => {
    const equal = (value: number, rows: number) => summaryOf(Array<number>(rows).fill(value))
    const scores = { f1: equal(0.8, 100), chrf: equal(0.7, 111), rare: equal(0.1, 1000) }
    const found = resultOf({ task: "qa", metrics: { text: scores } })
    const limits = [
      { name: "qa.text.f1", limit: { atLeast: 0.8 } },
      { name: "qa.text.chrf", limit: { atLeast: 0.7 } },
      { name: "qa.text.chrf", limit: { atMost: 0.7 } },
      { name: "qa.text.rare", limit: { atMost: 0.1 } },
    ]
    for (const limit of limits) expect(checkGates(found, [limit])[0]?.verdict).toBe("PASS")
    expect(checkGates(found, limits).map((gate) => gate.verdict)).toEqual(["PASS", "PASS", "PASS", "PASS"])
    expect(found.tasks["qa"]?.metrics["text"]?.scores["f1"]).toMatchObject({ value: 0.8, stats: { variance: 0 } })
  })

  it("count rows of a group as often as their intervals do", verifies("gates.groups"), () => {
    const shares = [0.77, 0.79, 0.83, 0.83, 0.84, 0.85, 0.81, 0.77, 0.79, 0.84]
    const limits = [0.677, 0.699, 0.744, 0.744, 0.755, 0.766, 0.721, 0.677, 0.699, 0.755]
    const resultOfCopies = (copies: number) => {
      const entries = shares.map((share, at) => {
        const rows = Array.from({ length: 100 * copies }, (_, row) => row % 100)
        const values = rows.map((group) => Number(group < Math.round(100 * share)))
        const stats = summarize(values, copies === 1 ? {} : { rows })
        const counts = { scored: values.length, unreadable: 0, errored: 0, skipped: 0 }
        return [`s${at}`, { stats, value: stats.mean, counts }] as const
      })
      return resultOf({ task: "qa", metrics: { check: Object.fromEntries(entries) } })
    }
    const gates = limits.map((atLeast, at) => ({ name: `qa.check.s${at}`, limit: { atLeast } }))
    for (const copies of [1, 10]) {
      const verdicts = checkGates(resultOfCopies(copies), gates).map((gate) => gate.verdict)
      expect(new Set(verdicts)).toEqual(new Set(["INCONCLUSIVE"]))
    }
  })

  it("compare the value of a score over all rows", () => {
    expect(verdict("qa.bleu.corpus", { atLeast: 40 })).toBe("PASS")
    expect(verdict("qa.bleu.corpus", { atLeast: 42 })).toBe("FAIL")
  })

  it("are inconclusive for fewer rows than a valid interval needs", () => {
    const graded = (values: readonly number[]) =>
      resultOf({ task: "qa", metrics: { judge: { tone: summaryOf(values) } } })
    const verdictOf = (values: readonly number[]) =>
      checkGates(graded(values), [{ name: "qa.judge.tone", limit: { atLeast: 0.1 } }])[0]?.verdict
    expect(verdictOf([4, 4.5, 5, 4])).toBe("INCONCLUSIVE")
    expect(verdictOf([4, 4.5, 5, 4, 4.5])).toBe("PASS")
    expect(verdictOf(Array<number>(20).fill(4))).toBe("INCONCLUSIVE")
    expect(verdictOf(Array<number>(30).fill(4))).toBe("PASS")
  })

  it(
    "compare the mean that people correct if they say so, and not that of the judge",
    verifies("gates.corrected"),
    () => {
      const scored = bits(90, 100)
      const people = Array.from({ length: 40 }, (_, at) => ({ score: 1, label: at % 4 === 0 ? 0 : 1 }))
      const { corrected, interval } = correctMean(people, { rows: 100, mean: 0.9 })
      const correctionOf = (found: ScoreCorrection["corrected"], left_open = 0): ScoreCorrection => ({
        left_open,
        fileset: "default/labels",
        rows: 100,
        labels: people.length,
        picked: 0,
        elsewhere: 0,
        judge: { mean: 0.9, interval: null },
        people: null,
        corrected: found,
        power: null,
        worth: null,
        verdict: null,
        labels_needed: null,
        labels_missing: 0,
        notes: [],
      })
      const outcomeOf = (limit: number, found: ScoreCorrection["corrected"] | undefined, leftOpen = 0) => {
        const score = found === undefined ? scored : { ...scored, corrected: correctionOf(found, leftOpen) }
        const labelled = resultOf({ task: "qa", metrics: { check: { score } } })
        return checkGates(labelled, [{ name: "qa.check.score", limit: { atLeast: limit }, isCorrected: true }])[0]
      }
      const known = { mean: corrected, interval }
      expect(outcomeOf(0.8, known)).toMatchObject({
        name: "qa.check.score corrected by people",
        value: corrected,
        low: interval?.low,
        verdict: "INCONCLUSIVE",
      })
      expect([0.5, 0.95].map((limit) => outcomeOf(limit, known)?.verdict)).toEqual(["PASS", "FAIL"])
      // Rows of the draw were left without a label.
      expect([0.5, 0.95].map((limit) => outcomeOf(limit, known, 3)?.verdict)).toEqual(["INCONCLUSIVE", "INCONCLUSIVE"])
      // Too few labels, no labels, and labels that could not be read.
      for (const none of [{ mean: 0.9, interval: null }, null, undefined]) {
        expect(outcomeOf(0.1, none)?.verdict).toBe("INCONCLUSIVE")
      }
    },
  )

  it("may leave out the task if they name one score only", () => {
    expect([verdict("check", { atLeast: 0.8 }), verdict("check.score", { atLeast: 0.95 })]).toEqual(["PASS", "FAIL"])
    const scores = { score: bits(9, 10), other: bits(9, 10) }
    const two = resultOf({ task: "qa", metrics: { check: scores } })
    expect(() => checkGates(two, [{ name: "check", limit: { atLeast: 0.8 } }])).toThrow(/has no score 'check'/)
  })

  it("on these rows compare the value without an interval, and need every row", verifies("gates.these-rows"), () => {
    const rows = (values: readonly (number | "NaN")[], counts = {}) => ({ score: summaryOf(values, counts) })
    const found = resultOf({
      task: "qa",
      metrics: {
        all: rows([1, 1, 1, 1, 0]),
        unread: rows([1, 1, 1, 1, "NaN"]),
        failed: rows([1, 1, 1, 1], { errored: 1 }),
        stopped: rows([1, 1, 1, 1], { skipped: 2 }),
        none: rows(["NaN"]),
        bleu: { ...rows([1, "NaN"]), corpus },
      },
    })
    const outcomeOf = (name: string, atLeast: number, maxUnscored?: number) =>
      checkGates(found, [{ name, limit: { atLeast }, isOnTheseRows: true, maxUnscored }])[0]
    expect(outcomeOf("all", 0.8)).toEqual({
      name: "qa.all.score",
      limit: ">= 0.8 on these rows",
      value: 0.8,
      low: null,
      high: null,
      verdict: "PASS",
      on_these_rows: true,
    })
    expect(outcomeOf("all", 0.81)).toMatchObject({ verdict: "FAIL" })
    expect(outcomeOf("all", 0.81)).not.toHaveProperty("reason")
    const reasonOf = (...given: Parameters<typeof outcomeOf>) => {
      const { verdict: found, reason } = outcomeOf(...given) ?? {}
      return [found, reason]
    }
    expect(reasonOf("unread", 0.8)).toEqual(["FAIL", "1 of 5 rows has no score."])
    expect(reasonOf("failed", 0.8)).toEqual(["FAIL", "1 of 5 rows has no score."])
    expect(reasonOf("stopped", 0.8, 1)).toEqual(["FAIL", "2 of 6 rows were not asked."])
    expect(reasonOf("none", 0.8, 1)).toEqual(["FAIL", "nothing was scored."])
    expect(reasonOf("bleu.corpus", 40)).toEqual(["FAIL", "1 of 2 rows has no score."])
    expect(reasonOf("unread", 0.8, 0.2)).toEqual(["PASS", undefined])
    expect(reasonOf("unread", 0.8, 0.1)).toEqual(["FAIL", "1 of 5 rows has no score, and max_unscored is 10 %."])
  })

  it("on these rows do not count among several that are decided together", verifies("gates.these-rows"), () => {
    const narrow = { name: "qa.check.score", limit: { atLeast: 0.82 } }
    const own = { ...narrow, limit: { atLeast: 0.9 }, isOnTheseRows: true }
    expect(checkGates(result, [narrow, own, own]).map((gate) => gate.verdict)).toEqual(["PASS", "PASS", "PASS"])
  })

  it("are inconclusive if nothing was scored", () => {
    expect(verdict("qa.judge.tone", { atLeast: 0.1 })).toBe("INCONCLUSIVE")
  })

  it("refuse an unknown score and name the known ones", () => {
    expect(() => verdict("qa.check.scores", { atLeast: 0.1 })).toThrow(
      "gate: the result has no score 'qa.check.scores'; it has qa.check.score, qa.bleu.corpus, qa.judge.tone.",
    )
  })
})

describe("a gate as text", () => {
  it.each([
    ["a.b.c>=0.8", { name: "a.b.c", limit: { atLeast: 0.8 } }],
    [" my task.metric.score <= 1e-3 ", { name: "my task.metric.score", limit: { atMost: 0.001 } }],
    ["a.b.c corrected by people >= 0.8", { name: "a.b.c", limit: { atLeast: 0.8 }, isCorrected: true }],
    ["a.b.c >= -.5", { name: "a.b.c", limit: { atLeast: -0.5 } }],
    ["a.b.c>=1 on these rows", { name: "a.b.c", limit: { atLeast: 1 }, isOnTheseRows: true }],
  ])("is read from %j", verifies("cli.eval.gates"), (text, gate) => expect(scoreGates.parse(text)).toEqual(gate))

  it.each(["", "a.b.c", ">=1", "a.b.c>=", "a.b.c>=high", "a.b.c>=1 on these row"])(
    "is refused if it is %j, with the right form",
    (text) =>
      expect(() => scoreGates.parse(text)).toThrow(
        expect.objectContaining({ code: "bad_usage", message: expect.stringContaining("task.metric.score>=0.8") }),
      ),
  )

  it.each([
    ["a.b.c=0.8", "write a.b.c >= 0.8, or a.b.c <= 0.8 if lower is better."],
    ["a.b.c>0.8", "because a value at the limit keeps it: write a.b.c >= 0.8."],
    ["a < 3 on these rows", "write a <= 3 on these rows."],
    ["a.b.c >= 80%", "has a limit in percent: write the number, such as a.b.c >= 0.8."],
    ["a corrected by people >= 0.8 on these rows", "leave out 'on these rows'."],
  ])("that is %j is refused with what was probably meant", (text, message) => {
    expect(() => scoreGates.parse(text)).toThrow(
      expect.objectContaining({ code: "bad_usage", message: expect.stringContaining(message) }),
    )
  })
})

import { checkRowValues, createSchemaPool, type JsonSchema } from "@assay/contents"
import { EvaluationResult } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { resultOf, summaryOf } from "../testing/tiny-result.ts"
import { listScores } from "./list-scores.ts"

const COUNTS = { scored: 0, unreadable: 0, errored: 0, skipped: 0 }

const schemas = createSchemaPool({ idleMs: 1000 }).as("test")

async function faultsOf(result: unknown) {
  const schema = JSON.parse(
    JSON.stringify(EvaluationResult, (key, value: unknown) => (key === "$id" ? undefined : value)),
  ) as JsonSchema
  const [faults] = await checkRowValues([JSON.stringify(result)], {
    metadata: { schema },
    schemas,
    path: "result.json",
  })
  return faults ?? []
}

describe("the result of a job", () => {
  it(
    "has the value, statistics, interval and four counts of each score",
    verifies("metric.stats", "run.numbers"),
    async () => {
      const result = resultOf({
        task: "qa",
        metrics: { check: { "string-check": summaryOf([1, 0, 1, "NaN"], { errored: 2, skipped: 3 }) } },
      })
      const score = result.tasks["qa"]?.metrics["check"]?.scores["string-check"]
      expect(score?.value).toBeCloseTo(2 / 3, 12)
      expect(score?.value).toBe(score?.stats?.mean)
      expect(score?.stats).toMatchObject({ count: 3, nan_count: 1, sum: 2, min: 0, max: 1, complete: false })
      expect(score?.stats).toMatchObject({ scored: 3, unreadable: 1, errored: 2, skipped: 3 })
      expect(score?.stats?.histogram.bins).toHaveLength(10)
      expect(Object.keys(score?.stats?.percentiles ?? {})).toContain("p50")
      expect(score?.stats?.interval).toMatchObject({ method: "wilson", confidence: 0.95 })
      expect(await faultsOf(result)).toEqual([])
    },
  )

  it("is complete if every row was scored", () => {
    const result = resultOf({ task: "qa", metrics: { check: { score: summaryOf([0.25, 0.5]) } } })
    expect(listScores(result)[0]?.found.stats?.complete).toBe(true)
  })

  it("writes NaN as a text, which JSON can hold", verifies("metric.nan"), async () => {
    const result = resultOf({ task: "qa", metrics: { judge: { helpful: summaryOf(["NaN", "NaN"]) } } })
    const read = JSON.parse(JSON.stringify(result)) as typeof result
    expect(read).toEqual(result)
    const [score] = listScores(read)
    expect(score?.found).toMatchObject({ value: "NaN", stats: { count: 0, nan_count: 2, mean: "NaN", interval: null } })
    expect(await faultsOf(read)).toEqual([])
  })

  it("has no statistics for a score over all rows, and lists groups beside tasks", () => {
    const bleu = { stats: null, value: 41.2, counts: COUNTS }
    const result = resultOf(
      { task: "qa", metrics: { bleu: { corpus: bleu, sentence: summaryOf([40]) } } },
      { task: "a", group: "evaluation", metrics: { evaluation: { recall_5: summaryOf([1]) } } },
      { task: "b", group: "evaluation", metrics: { other: { map: summaryOf([0.5]) } } },
    )
    expect(result.tasks["qa"]?.metrics["bleu"]?.scores["corpus"]).toEqual({ value: 41.2 })
    expect(listScores(result).map(({ name, found }) => [name, found.value])).toEqual([
      ["qa.bleu.corpus", 41.2],
      ["qa.bleu.sentence", 40],
      ["evaluation.evaluation.recall_5", 1],
      ["evaluation.other.map", 0.5],
    ])
  })

  it("keeps labels and repeats of scores that have them", verifies("metric.repeats"), () => {
    const shares = { pass_at_k: 1, pass_pow_k: 0.5, majority: 1, flip_rate: Number.NaN, pass_at: [0.8, 1, 1] }
    const repeats = { repeats: 3, rows: 2, ...shares }
    const labels = { good: 2, poor: 1 }
    const result = resultOf({ task: "qa", metrics: { judge: { tone: { ...summaryOf([1, 0, 1]), labels, repeats } } } })
    expect(listScores(result)[0]?.found.stats).toMatchObject({
      rubric_distribution: { good: 2, poor: 1 },
      repeats: { repeats: 3, rows: 2, pass_at_k: 1, pass_pow_k: 0.5, flip_rate: "NaN", pass_at: [0.8, 1, 1] },
    })
  })

  it("accepts any name, such as __proto__", () => {
    const result = resultOf({ task: "__proto__", metrics: { constructor: { toString: summaryOf([1]) } } })
    expect(listScores(result).map(({ name }) => name)).toEqual(["__proto__.constructor.toString"])
    expect(JSON.stringify(result)).toContain('"__proto__":{"metrics":{"constructor"')
  })
})

import { createRandom, finishSteps } from "@assay/metrics"
import type { EvaluationRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { TaskPlan } from "../../plan/task-plan.ts"
import { buildResult } from "@assay/results"
import { tinyMetric, tinyPlan } from "../../testing/tiny-plan.ts"
import { rowOf } from "@assay/results/testing"
import { createTaskTally } from "./task-tally.ts"

const METRIC = tinyMetric("check", { scores: ["ok"] })

function tallyOf(rows: readonly EvaluationRow[], over: Partial<TaskPlan> = {}) {
  const [task] = tinyPlan({ metrics: [METRIC], slices: ["language"] }).tasks
  if (task === undefined) throw new Error("no task")
  const tally = createTaskTally({ ...task, ...over })
  for (const row of rows) tally.keep(row)
  return finishSteps(tally.summary(rows.length))
}

function slicesOf(rows: readonly EvaluationRow[], over: Partial<TaskPlan> = {}, type = "custom-check") {
  const facts = { id: "r", job: "j", namespace: "default", filesUrl: null, createdAt: 0 }
  const config = { type: "custom", tasks: { qa: { metrics: { check: { type } } } } } as const
  const result = buildResult({ tasks: [tallyOf(rows, over)] }, { ...facts, config })
  return result.tasks["qa"]?.metrics["check"]?.scores["ok"]?.slices ?? []
}

/** 120 rows in three languages. In one of them, two of three answers are wrong. */
const ROWS = Array.from({ length: 120 }, (_, at) => {
  const language = ["en", "de", "sw"][at % 3] ?? ""
  const ok = language === "sw" ? Number(at % 9 === 2) : Number(at % 10 !== 0)
  return rowOf(at, { check: { ok } }, { item: { language, about: { topic: at % 2 }, document: at % 20 } })
})

describe("slices of a score", () => {
  it("have the mean, interval and counts of each value, and name the worst", verifies("metric.slices"), () => {
    const [byLanguage, byTopic] = slicesOf(ROWS, { slices: ["language", "about.topic"] })
    expect(byLanguage).toMatchObject({ column: "language", values: 3, worst: "sw" })
    const [sw] = byLanguage?.groups.filter(({ name }) => name === "sw") ?? []
    expect(sw).toMatchObject({ kind: "value", scored: 40, unreadable: 0, errored: 0, interval: { method: "wilson" } })
    expect(sw?.difference).toMatchObject({ is_marked: true, p: expect.any(Number), p_adjusted: expect.any(Number) })
    expect(sw?.difference?.interval?.high).toBeLessThan(-0.3)
    expect(byTopic).toMatchObject({ column: "about.topic", values: 2, worst: null })
    expect(byTopic?.groups.map(({ name, scored }) => [name, scored])).toEqual([
      ["0", 60],
      ["1", 60],
    ])
    // An edit rate is better if it is lower.
    expect(slicesOf(ROWS, {}, "ter")[0]?.worst).not.toBe("sw")
  })

  it("are the same in whichever order rows come, also with repeats and groups of rows", verifies("run.shards"), () => {
    const random = createRandom(3)
    const rows = ROWS.flatMap((row) =>
      [0, 1].map((repeat) => ({ ...row, repeat, scores: { check: { ok: random() / 3 } } })),
    )
    const mixed = rows.map((row) => ({ row, key: random() })).toSorted((a, b) => a.key - b.key)
    for (const over of [{ repeats: 2 }, { repeats: 2, clusterBy: "document" }]) {
      const shuffled = slicesOf(
        mixed.map(({ row }) => row),
        over,
      )
      expect(JSON.stringify(shuffled)).toBe(JSON.stringify(slicesOf(rows, over)))
    }
  })

  it("count each unit if some repeats of many rows failed", () => {
    const error = { code: "request_timeout", message: "The endpoint was silent." }
    const item = { language: "en" }
    const rows = Array.from({ length: 40 }, (_, at) =>
      [0, 1].map((repeat) =>
        repeat === 0 || at < 4
          ? rowOf(at, {}, { item, repeat, sample: null, error })
          : rowOf(at, { check: { ok: 1 } }, { item, repeat }),
      ),
    ).flat()
    expect(slicesOf(rows, { repeats: 2 })[0]?.groups).toMatchObject([{ scored: 36, errored: 44 }])
  })

  it("name no worst slice for a few rows that are wrong by chance", verifies("slices.worst"), () => {
    const rows = Array.from({ length: 43 }, (_, at) =>
      rowOf(at, { check: { ok: Number(at < 40 && at % 10 > 0) } }, { item: { language: at < 40 ? "en" : "rare" } }),
    )
    const [slices] = slicesOf(rows)
    expect(slices?.groups.find(({ name }) => name === "rare")).toMatchObject({ value: 0, scored: 3 })
    expect(slices?.worst).toBe(null)
  })

  it("split by 50 values, and count other values and rows without one", () => {
    const values = ["x".repeat(300), null, undefined, "", ...Array.from({ length: 60 }, (_, at) => `v${at % 55}`)]
    const rows = values.map((language, at) => rowOf(at, { check: { ok: 1 } }, { item: { language } }))
    const [slices] = slicesOf(rows)
    expect(slices?.values).toBe(55)
    expect(slices?.groups).toHaveLength(52)
    expect(slices?.groups.slice(0, 5).map(({ name, scored }) => [name, scored])).toEqual(
      ["v0", "v1", "v2", "v3", "v4"].map((name) => [name, 2]),
    )
    expect(slices?.groups.slice(50)).toMatchObject([
      { name: "(other)", kind: "other", scored: 6 },
      { name: "(missing)", kind: "missing", scored: 3 },
    ])
  })

  it("do not split by a column with a value for each of many rows", () => {
    const rows = Array.from({ length: 10_002 }, (_, at) =>
      rowOf(at, { check: { ok: 1 } }, { item: { language: `id ${at}` } }),
    )
    const [slices] = slicesOf(rows)
    expect(slices).toMatchObject({ values: null, worst: null })
    expect(slices?.groups).toMatchObject([{ kind: "other", scored: 10_002, difference: null }])
  })

  it("count rows that failed, until they are tried again", () => {
    const error = { code: "request_timeout", message: "The endpoint was silent." }
    const failed = rowOf(0, {}, { item: { language: "en" }, sample: null, error })
    const unreadable = rowOf(1, { check: { ok: "NaN" } }, { item: { language: "en" } })
    const [slices] = slicesOf([failed, unreadable])
    expect(slices?.groups).toMatchObject([{ value: "NaN", scored: 0, unreadable: 1, errored: 1, interval: null }])
    const again = rowOf(0, { check: { ok: 1 } }, { item: { language: "en" }, attempt: 2 })
    expect(slicesOf([failed, unreadable, again])[0]?.groups).toMatchObject([{ value: 1, scored: 1, errored: 0 }])
  })
})

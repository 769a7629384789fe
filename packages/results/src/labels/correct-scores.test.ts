import { outputDigest } from "../rows/output-digest.ts"
import type { EvaluationConfigBody, EvaluationRow, LabelRow, ScoreCorrection } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { TaskSummary } from "../progress/plan-outcome.ts"
import type { JobLogLine } from "../progress/job-progress.ts"
import { journalOf } from "../testing/sample-results.ts"
import { rowOf, summaryOf } from "../testing/tiny-result.ts"
import { correctScores, type CorrectScoresOptions } from "./correct-scores.ts"

const ROWS = 200
/** The judge says 1 for 60 % of the rows, and is wrong about each tenth. */
const said = (row: number) => (row % 5 < 3 ? 1 : 0)
const truth = (row: number) => (row % 10 === 0 ? 1 - said(row) : said(row))
const judged = (row: number, more: Partial<EvaluationRow> = {}) =>
  rowOf(row, { judge: { good: said(row), words: row } }, more)
const ROWS_OF_JOB = Array.from({ length: ROWS }, (_, row) => judged(row))

function labelsOf(rows: readonly number[], more: Partial<LabelRow> = {}): readonly LabelRow[] {
  return rows.map((row) => ({
    digest: outputDigest(judged(row)),
    metric: "judge.good",
    label: truth(row),
    author: null,
    created_at: "2026-11-24T00:00:00.000Z",
    probability: 1,
    job: "eval-1",
    task: "qa",
    row_index: row,
    repeat: 0,
    ...more,
  }))
}
const EACH_FOURTH = Array.from({ length: ROWS / 4 }, (_, at) => (at * 7) % ROWS)

const CONFIG: EvaluationConfigBody = {
  type: "custom",
  tasks: { qa: { type: "data", metrics: { judge: { type: "llm-judge", labels: "default/labels" } } } },
}
const numbers = ROWS_OF_JOB.map((_, row) => row)
const TASK: TaskSummary = {
  task: "qa",
  metrics: {
    judge: { good: summaryOf(numbers.map(said)), words: summaryOf(numbers) },
    other: { good: summaryOf(numbers.map(said)) },
  },
}

interface Given extends Partial<Omit<CorrectScoresOptions, "journal">> {
  readonly rows?: readonly EvaluationRow[]
  readonly labels?: readonly LabelRow[]
  readonly tasks?: readonly TaskSummary[]
}

async function correct({ rows = ROWS_OF_JOB, labels = [], tasks = [TASK], ...more }: Given) {
  const log: JobLogLine[] = []
  const found = await correctScores(tasks, {
    config: CONFIG,
    journal: journalOf(rows),
    readLabels: async () => ({ name: "default/labels", rows: labels }),
    endedEarly: new Set(),
    onLog: (line) => void log.push(line),
    signal: new AbortController().signal,
    ...more,
  })
  const { judge = {}, other = {} } = found[0]?.metrics ?? {}
  return { log, judge, other, good: judge["good"]?.corrected }
}

describe("scores of a metric that names labels", () => {
  it(
    "get the judge, the people and the corrected mean, and stay as they are",
    verifies("eval.labels.option"),
    async () => {
      const { good, judge, other } = await correct({ labels: labelsOf(EACH_FOURTH) })
      expect(good).toMatchObject({
        fileset: "default/labels",
        rows: ROWS,
        labels: 50,
        labels_missing: 0,
        judge: { mean: 0.6, interval: { method: "wilson" } },
        verdict: { positive: 1, sensitivity: { n: expect.any(Number) } },
      })
      const interval = (good as ScoreCorrection).corrected?.interval
      const truths = numbers.reduce((sum, row) => sum + truth(row), 0) / ROWS
      expect([interval?.low ?? 1, truths, interval?.high ?? 0].toSorted((a, b) => a - b)[1]).toBe(truths)
      expect(good?.worth).toBeGreaterThan(50)
      expect([judge["good"]?.value, other["good"]?.corrected]).toEqual([0.6, undefined])
      expect(judge["words"]?.corrected).toMatchObject({ labels: 0, corrected: null, labels_missing: 10 })
    },
  )

  it("have equal corrections for any order of rows, and count the last attempt of each", async () => {
    const labels = labelsOf(EACH_FOURTH)
    const { good } = await correct({ labels })
    const failed = numbers.slice(0, 30).map((row) => rowOf(row, {}, { sample: null }))
    const again = ROWS_OF_JOB.map((row) => ({ ...row, attempt: 2 })).toReversed()
    expect((await correct({ labels, rows: [...failed, ...again] })).good).toEqual(good)
    const lost = await correct({ labels, rows: [...ROWS_OF_JOB, ...failed] })
    expect(lost.good?.rows).toBe(ROWS - 30)
    expect(lost.good?.elsewhere).toBe(EACH_FOURTH.filter((row) => row < 30).length)
  })

  it("say how many labels are missing", async () => {
    const { good } = await correct({ labels: labelsOf([1, 2, 3, 4, 5, 6, 7]) })
    expect(good).toMatchObject({ labels: 7, labels_missing: 3, corrected: { interval: null } })
    expect(good?.notes.join(" ")).toContain("it takes 10 labels; 3 more are missing")
    const equal = await correct({ labels: labelsOf(EACH_FOURTH, { label: 1 }) })
    expect(equal.good).toMatchObject({ labels: 50, labels_missing: 0, corrected: { interval: { high: 1 } } })
    const picked = await correct({ labels: labelsOf(EACH_FOURTH, { probability: null }) })
    expect(picked.good).toMatchObject({ labels: 0, picked: 50, labels_missing: 10, corrected: null })
  })

  it("have no corrected interval if gates ended the task", async () => {
    const labels = labelsOf(EACH_FOURTH)
    const { good } = await correct({ labels, endedEarly: new Set(["qa"]) })
    expect(good).toMatchObject({ people: { interval: null }, corrected: { interval: null }, worth: null })
    expect(good?.notes.at(-1)).toContain("Gates have ended the job")
  })

  it("cover all groups like these if rows come in groups", verifies("corrected.clusters"), async () => {
    const rows = ROWS_OF_JOB.map((row) => ({ ...row, item: { ...row.item, document: Math.floor(row.row_index / 20) } }))
    const digests = new Map(rows.map((row) => [row.row_index, outputDigest(row)]))
    const labels = labelsOf(EACH_FOURTH).map((label) => ({ ...label, digest: digests.get(label.row_index) ?? "" }))
    const single = await correct({ rows, labels })
    const grouped = await correct({ rows, labels, config: { ...CONFIG, params: { cluster_by: "document" } } })
    expect([single.good?.covers, grouped.good?.covers]).toEqual(["rows", "clusters"])
    expect(grouped.good?.notes.at(-1)).toContain("all groups like these")
    expect(grouped.good?.corrected?.mean).toBe(single.good?.corrected?.mean)
    const widthOf = ({ good }: typeof single) => {
      const { low = 0, high = 0 } = good?.corrected?.interval ?? {}
      return high - low
    }
    expect(widthOf(grouped)).toBeGreaterThan(1.3 * widthOf(single))
  })

  it(
    "name the rows of a draw that have no label, and labels that are not a random sample",
    verifies("labels.selective"),
    async () => {
      const draw = "random-1"
      const all = await correct({ labels: labelsOf(numbers, { draw }) })
      expect([all.good?.left_open, all.good?.notes.join(" ")]).toEqual([
        0,
        expect.not.stringContaining("random sample"),
      ])
      // Somebody leaves out each row that is bad.
      const kept = numbers.filter((row) => truth(row) === 1)
      const left = await correct({ labels: labelsOf(kept, { draw }) })
      expect(left.good?.left_open).toBeGreaterThan(70)
      const notes = left.good?.notes.join(" ")
      expect(notes).toContain("Labels are missing for")
      expect(notes).toContain("do not look like a random sample")
    },
  )

  it("are not corrected by a label that is not on the scale", verifies("labels.range"), async () => {
    const scores = { good: { type: "boolean" } }
    const judge = { type: "llm-judge", labels: "default/labels", params: { scores } }
    const config: EvaluationConfigBody = { type: "custom", tasks: { qa: { type: "data", metrics: { judge } } } }
    const { good, log } = await correct({ config, labels: labelsOf(EACH_FOURTH, { label: 100 }) })
    expect(good).toBeUndefined()
    expect(log[0]?.message).toContain("is 100, and the score has values from 0 to 1")
  })

  it("have no correction if the labels can't be read, and the log says why", async () => {
    const readLabels = () => Promise.reject(Object.assign(new Error("fault of ours"), { code: 1 }))
    await expect(correct({ readLabels })).rejects.toThrow("fault of ours")
    const { AssayError } = await import("@assay/schemas")
    const gone = () => Promise.reject(new AssayError("dataset_missing", "It is gone."))
    const { good, log, judge } = await correct({ readLabels: gone })
    expect([good, judge["good"]?.value]).toEqual([undefined, 0.6])
    expect(log).toEqual([
      { level: "warn", message: expect.stringMatching(/^Labels 'default\/labels' .* It is gone\.$/) },
    ])
  })

  it("are left alone if no row has a score", async () => {
    const tasks = [{ task: "qa", metrics: { judge: { good: summaryOf(["NaN"]) } } }]
    const rows = [rowOf(0, { judge: { good: "NaN" } })]
    expect((await correct({ tasks, rows, labels: labelsOf([0]) })).good).toBeUndefined()
  })
})

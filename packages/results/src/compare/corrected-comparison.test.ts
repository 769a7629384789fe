import { createRandom } from "@assay/metrics"
import type { LabelRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import { drawKey, formatDraw } from "../row-index/labels/draw-name.ts"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { compareJobs } from "./compare-jobs.ts"
import { formatPairDraw } from "../row-index/labels/pair-draw-id.ts"
import { queuePairs } from "./pair-queue.ts"
import type { JobToCompare } from "./job-to-compare.ts"

const METRIC = "helpful.rating"
const judge = {
  model: { api_endpoint: { url: "http://a/v1", model_id: "judge" } },
  template: "Good?",
  scores: { rating: { type: "int", minimum: 0, maximum: 1 } },
}
type Config = NonNullable<JobToCompare["config"]>
const config = (params: object = judge): Config => ({
  type: "custom",
  tasks: { qa: { type: "data", metrics: { helpful: { type: "llm-judge", params: { ...params } } } } },
})

interface Answer {
  readonly text: string
  readonly score: number
  readonly people: number
}

/** A job whose rows have an output, a score of the judge, and what people would say. */
function jobOf(id: string, answers: readonly Answer[], more: Partial<JobToCompare> = {}) {
  const rows = answers.map(({ text, score }, row) =>
    rowOf(
      row,
      { helpful: { rating: score } },
      {
        sample: { output_text: text, response: null, usage: null, latency_ms: null, finish_reason: "stop" },
      },
    ),
  )
  const scores = answers.map(({ score }) => score)
  const job: JobToCompare = {
    id,
    name: `job ${id}`,
    result: resultOf({ task: "qa", metrics: { helpful: { rating: summaryOf(scores) } } }),
    async *rows() {
      yield rows
    },
    config: config(),
    ...more,
  }
  return { job, rows, answers }
}

type Made = ReturnType<typeof jobOf>

interface Labelling {
  /** The rows that are labelled are the first ones of the draw. */
  readonly first: number
  /** Of these, the ones that get a label. Default: all. */
  readonly keeps?: (answer: Answer) => boolean
  /** Default: the draw of the job's own queue. Null: somebody picked the rows. */
  readonly draw?: string | null
}

/** Labels of the rows of a job that its queue names first. */
function labelsOf({ job, rows, answers }: Made, { first, keeps = () => true, draw: given }: Labelling): LabelRow[] {
  const own = formatDraw({ by: "random", seed: 1, job: job.id, score: METRIC })
  const draw = given === undefined ? own : given
  const keyed = rows.map((row, at) => ({ row, at, digest: outputDigest(row) }))
  const order = keyed.toSorted((a, b) => drawKey(digestNumber(a.digest), 1) - drawKey(digestNumber(b.digest), 1))
  return order.slice(0, first).flatMap(({ row, at, digest }): LabelRow[] => {
    const answer = answers[at]
    if (answer === undefined || !keeps(answer)) return []
    const drawn = { draw, probability: draw?.startsWith("random") === true ? 1 : null }
    const from = { job: job.id, author: "ann", created_at: "2026-11-20T08:14:03.120Z" }
    return [
      {
        digest,
        metric: METRIC,
        label: answer.people,
        ...drawn,
        ...from,
        task: "qa",
        row_index: row.row_index,
        repeat: 0,
      },
    ]
  })
}

/** Two models of which people see `better` more good answers of B in 100, and a judge that is lenient to B. */
function twoJobs(rows: number, goodA: number, goodB: number, seed: number): readonly [Made, Made] {
  const random = createRandom(seed)
  const chance = (share: number) => (random() < share ? 1 : 0)
  const answer = (side: string, row: number, good: number, lenient: number): Answer => {
    const people = chance(good)
    return { text: `${side} ${row}`, people, score: people === 1 ? chance(0.96) : chance(lenient) }
  }
  const a = jobOf(
    "eval-a",
    Array.from({ length: rows }, (_, row) => answer("a", row, goodA, 0.05)),
  )
  const b = jobOf(
    "eval-b",
    Array.from({ length: rows }, (_, row) => answer("b", row, goodB, 0.7)),
  )
  return [a, b]
}

const compare = (sides: readonly Made[], labels: readonly LabelRow[], options: object = {}) =>
  compareJobs(
    sides.map(({ job }) => job),
    { margin: 0.1, labels: { name: "labels", rows: labels }, ...options },
  )
const correctedOf = async (sides: readonly Made[], labels: readonly LabelRow[], options: object = {}) => {
  const found = await compare(sides, labels, options)
  return { found, pair: found.scores[0]?.pairs[0], corrected: found.scores[0]?.pairs[0]?.corrected }
}

describe("comparing jobs by what people would see", () => {
  const sides = twoJobs(400, 0.85, 0.55, 3)
  const labels = sides.flatMap((side) => labelsOf(side, { first: 150 }))

  it(
    "fails a job that the judge alone passes because it is lenient to it",
    verifies("corrected.comparison"),
    async () => {
      const { found, pair, corrected } = await correctedOf(sides, labels)
      expect([pair?.verdict, found.verdict, corrected?.verdict]).toEqual(["PASS", "FAIL", "FAIL"])
      expect(corrected).toMatchObject({
        labels: 300,
        labels_of: { baseline: 150, job: 150 },
        covers: "rows-like-these",
        differing: 400,
        left_open: 0,
        labels_needed: null,
        notes: [],
      })
      expect(corrected?.difference).toBeCloseTo(-0.3, 0)
      expect(corrected?.interval?.high).toBeLessThan(-0.1)
    },
  )

  it(
    "says how many labels it takes without labels, and does not decide",
    verifies("corrected.comparison"),
    async () => {
      const { found, corrected } = await correctedOf(sides, [])
      expect([found.verdict, corrected?.difference, corrected?.interval, corrected?.labels]).toEqual([
        "INCONCLUSIVE",
        null,
        null,
        0,
      ])
      expect(corrected?.labels_needed).toBe(193)
      expect(corrected?.notes).toEqual([
        "No answer that differs and was drawn has a label: it takes at least 10 labels on each side, of 400 answers that differ; 193 on each are enough whatever the judge is worth, and fewer if it is good.",
      ])
      const few = await correctedOf(
        sides,
        sides.flatMap((side) => labelsOf(side, { first: 7 })),
      )
      expect(few.corrected?.notes[0]).toMatch(/^There are 7 and 7 labels: it takes at least 10 labels on each side/)
      expect(few.corrected).toMatchObject({ interval: null, verdict: "INCONCLUSIVE", labels: 14 })
    },
  )

  it("does not decide while rows of a draw are left open", verifies("corrected.comparison-selective"), async () => {
    const [a, b] = sides
    const kept = labelsOf(b, { first: 150, keeps: ({ people, score }) => people === score })
    const { found, corrected } = await correctedOf(sides, [...labelsOf(a, { first: 150 }), ...kept])
    expect(corrected).toMatchObject({ verdict: "INCONCLUSIVE", left_open: 150 - kept.length })
    expect(found.warnings).toContainEqual(
      expect.stringMatching(/'qa\.helpful\.rating': labels are missing for \d+ rows of a draw/),
    )
    const picked = await correctedOf(
      sides,
      sides.flatMap((side) => labelsOf(side, { first: 150, draw: null })),
    )
    expect(picked.corrected).toMatchObject({ labels: 0, verdict: "INCONCLUSIVE" })
    expect(picked.corrected?.notes.at(-1)).toMatch(/^300 labels of picked rows are not used/)
  })

  it("has no verdict if the judge differs between the jobs", verifies("corrected.comparison"), async () => {
    const [a, b] = sides
    const other = { ...b, job: { ...b.job, config: config({ ...judge, template: "Is it good?" }) } }
    const { found, corrected } = await correctedOf([a, other], labels)
    expect([found.verdict, corrected?.verdict]).toEqual([null, null])
    expect((await correctedOf([a, other], labels, { allowChanged: true })).corrected?.verdict).toBe("FAIL")
  })

  it("needs labels only of answers that differ", verifies("corrected.comparison-same"), async () => {
    const [a] = sides
    const copy = { ...a, job: { ...a.job, id: "eval-c", name: "job c" } }
    expect((await correctedOf([a, copy], [], { margin: 0 })).corrected).toMatchObject({
      verdict: "PASS",
      differing: 0,
      difference: 0,
      notes: ["Both jobs gave the same outputs: people see no difference, whatever the judge says."],
    })
    const changed = a.answers.map((answer, row) => (row < 8 ? { text: `new ${row}`, score: 1, people: 0 } : answer))
    const later = jobOf("eval-d", changed)
    const census = [a, later].flatMap((side) =>
      labelsOf(side, { first: 400, draw: null }).filter(({ row_index: row }) => row < 8),
    )
    const { corrected } = await correctedOf([a, later], census)
    const lost = a.answers.slice(0, 8).reduce((sum, { people }) => sum + people, 0)
    expect(corrected?.difference).toBeCloseTo(-lost / 400, 12)
    expect(corrected).toMatchObject({
      differing: 8,
      labels: 16,
      verdict: "PASS",
      interval: { method: "combined-intervals" },
    })
  })

  it(
    "takes labels of all flips as known, beside a sample of the other rows",
    verifies("corrected.comparison-same"),
    async () => {
      const [a, b] = sides
      const isFlip = (row: number) => a.answers[row]?.score !== b.answers[row]?.score
      const flips = sides.flatMap((side) =>
        labelsOf(side, { first: 400, draw: null }).filter(({ row_index: row }) => isFlip(row)),
      )
      const only = await correctedOf(sides, flips)
      expect(only.corrected).toMatchObject({ verdict: "INCONCLUSIVE", interval: null })
      expect(only.corrected?.notes[1]).toMatch(
        /^People have labelled all \d+ answers on which the judge sees a difference\. It may be wrong about the \d+/,
      )
      const count = flips.length / 2
      const drawn = sides.flatMap((side) => labelsOf(side, { first: 150 }))
      const others = drawn.filter(({ row_index: row }) => !isFlip(row))
      const { corrected } = await correctedOf(sides, [...drawn, ...flips])
      expect(corrected).toMatchObject({ verdict: "FAIL", labels: flips.length + others.length, left_open: 0 })
      expect(corrected?.notes[0]).toContain(`all ${count} answers`)
      const truth = a.answers.reduce((sum, { people }, row) => sum + (b.answers[row]?.people ?? 0) - people, 0) / 400
      expect(Math.abs((corrected?.difference ?? 0) - truth)).toBeLessThan(0.06)
      const { corrected: sample } = await correctedOf(sides, drawn)
      const widthOf = (one: typeof sample) => (one?.interval?.high ?? 0) - (one?.interval?.low ?? 0)
      expect(widthOf(corrected)).toBeLessThan(widthOf(sample))
    },
  )

  it("counts the rows of one group once", verifies("corrected.comparison"), async () => {
    const grouped = { ...config(), params: { cluster_by: "group" } } as Config
    const inGroups = sides.map((side) => {
      const rows = side.rows.map((row) => ({ ...row, item: { ...row.item, group: row.row_index % 40 } }))
      async function* read() {
        yield rows
      }
      return { ...side, rows, job: { ...side.job, config: grouped, rows: read } }
    })
    const own = inGroups.flatMap((side) => labelsOf(side, { first: 150 }))
    const { corrected } = await correctedOf(inGroups, own)
    const { corrected: single } = await correctedOf(sides, labels)
    expect(corrected?.interval).not.toEqual(single?.interval)
    expect(corrected).toMatchObject({ labels: 300, interval: { method: "bayesian-bootstrap" } })
  })
})

describe("asking people about two jobs until it is decided", () => {
  const [a, b] = twoJobs(200, 0.85, 0.5, 9)
  const jobs = [a.job, b.job] as const
  const asked = { metric: "helpful", margin: 0.05, seed: 1, limit: 15 }
  const next = (rows: readonly LabelRow[], options: object = {}, of: typeof jobs = jobs) =>
    queuePairs(of, { ...asked, labels: { name: "labels", rows }, ...options })

  /** Gives the labels of people to the rows of a queue. Null: they are unsure. */
  function answer(
    { draw, data }: Awaited<ReturnType<typeof next>>,
    labelFor = (people: number, _row: number): number | null => people,
  ): LabelRow[] {
    return data.map(({ job, row_index: row, digest, task, repeat }) => {
      const people = (job === a.job.id ? a : b).answers[row]?.people ?? 0
      const from = { job, author: "ann", created_at: "2026-11-20T08:14:03.120Z" }
      return {
        digest,
        metric: METRIC,
        label: labelFor(people, row),
        draw,
        probability: null,
        task,
        row_index: row,
        repeat,
        ...from,
      }
    })
  }

  it(
    "names rows of both until labels decide, and compares by them in both directions",
    verifies("corrected.sequential"),
    async () => {
      const labels: LabelRow[] = []
      let queue = await next(labels)
      const draw = formatPairDraw({ jobs: ["eval-a", "eval-b"], score: METRIC, seed: 1 })
      expect(queue).toMatchObject({
        is_decided: false,
        labelled: 0,
        draw,
        corrected: { verdict: "INCONCLUSIVE", differing: 200 },
      })
      expect(queue.data).toHaveLength(30)
      for (let round = 0; round < 12 && !queue.is_decided; round++) {
        labels.push(...answer(queue))
        queue = await next(labels)
      }
      expect(queue).toMatchObject({ is_decided: true, data: [], corrected: { verdict: "FAIL", covers: "these-rows" } })
      expect(queue.labelled).toBeLessThan(100)
      const { corrected } = await correctedOf([a, b], labels, { margin: 0.05 })
      expect(corrected).toEqual(queue.corrected)
      const { corrected: turned } = await correctedOf([b, a], labels, { margin: 0.05 })
      expect(turned).toMatchObject({ verdict: "PASS", labels: corrected?.labels })
      expect(turned?.difference).toBeCloseTo(-(corrected?.difference ?? 0), 9)
    },
  )

  it(
    "counts labels up to the first row that was left out, and unsure ones as the worst",
    verifies("corrected.comparison-selective"),
    async () => {
      const first = await next([], { limit: 60 })
      const all = answer(first)
      const skipped = first.data[20]?.row_index
      const gap = await next(all.filter(({ row_index: row }) => row !== skipped))
      expect(gap).toMatchObject({ labelled: 10, is_decided: false, corrected: { left_open: 1, labels: 20 } })
      expect(gap.data[0]?.row_index).toBe(skipped)
      expect(gap.corrected.notes.at(-1)).toMatch(/^1 rows? of the draw ha/)
      // Labels of other draws are anywhere in the order of this one, and leave nothing out.
      const others = [a, b].flatMap((side) => labelsOf(side, { first: 100 }))
      const beside = await next([...others, ...answer(await next([], { limit: 3 }))])
      expect([beside.corrected.left_open, beside.corrected.notes.length]).toEqual([0, 1])
      const unsure = await next(answer(first, (people, row) => (row % 4 === 0 ? null : people)))
      expect(unsure.labelled).toBe(60)
      const sure = await next(all)
      const widthOf = ({ corrected: { interval } }: typeof sure) => (interval?.high ?? 0) - (interval?.low ?? 0)
      expect(widthOf(unsure)).toBeGreaterThan(widthOf(sure))
    },
  )

  it("needs no label of equal outputs, and rows to compare", verifies("corrected.comparison-same"), async () => {
    const same = { ...b.job, id: "eval-c", rows: a.job.rows }
    const found = await next([], {}, [a.job, same])
    expect(found).toMatchObject({
      is_decided: true,
      data: [],
      corrected: { verdict: "PASS", difference: 0, labels: 0 },
    })
    const { corrected } = await correctedOf([a, { ...a, job: same }], [], { margin: 0.05 })
    expect(corrected?.verdict).toBe("PASS")
    const others = a.rows.map((row) => ({ ...row, item: { prompt: `not ${row.row_index}` } }))
    const elsewhere: JobToCompare = {
      ...b.job,
      async *rows() {
        yield others
      },
    }
    await expect(next([], {}, [a.job, elsewhere])).rejects.toThrow(/have no rows that both have the score/)
  })

  it("refuses scores that measure something else, or that are unknown", verifies("corrected.comparison"), async () => {
    const other = { ...b.job, config: config({ ...judge, template: "Is it good?" }) }
    await expect(next([], {}, [a.job, other])).rejects.toThrow(/measures something else in 'job eval-b'/)
    expect((await next([], { allowChanged: true }, [a.job, other])).data).toHaveLength(30)
    await expect(next([], { metric: "nothing" })).rejects.toThrow(
      /has no score 'nothing'; it has 'qa\.helpful\.rating'/,
    )
    const noScale = config({ ...judge, scores: { rating: { type: "int" } } })
    const without = [a, b].map(({ job }) => ({ ...job, config: noScale })) as [JobToCompare, JobToCompare]
    await expect(next([], {}, without)).rejects.toThrow(/'qa\.helpful\.rating' of 'job eval-a' has no known lowest/)
    const fixed = twoJobs(40, 0.9, 0.5, 2).map((side) => ({ ...side, job: { ...side.job, config: noScale } }))
    const { corrected } = await correctedOf(
      fixed,
      fixed.flatMap((side) => labelsOf(side, { first: 20 })),
    )
    expect(corrected?.notes).toContainEqual(expect.stringMatching(/scale of the score is not known.* 0 to 1\.$/))
    await expect(next([], { task: "other" })).rejects.toThrow(/has no score 'helpful'; it has none/)
  })
})

import { appendFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationRow, RowFilter, RowSort, TextLocation } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import { type PlainRead, readPlainly } from "../testing/plain-reads.ts"
import { rowOf } from "../testing/tiny-result.ts"
import { createJobRows, type JobRows } from "./job-rows.ts"
import type { RowLines } from "./journal-source.ts"
import { fileJournalSource } from "./journal-source.ts"

let root: string
let rows: JobRows
let folders = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "job-rows-oracle-"))
  // Tables that a request uses must survive the evictions of concurrent requests.
  rows = createJobRows({ tables: 1, bytes: 0, searches: 1, searchBytes: 1 })
})
afterAll(async () => {
  await rows.close()
  await rm(root, { recursive: true })
})

const WORDS = ["refund", "Ticket", "ÄPFEL", "null", "7.50", "aaab"]
const score = fc.constantFrom<number | "NaN" | undefined>(0, 0.5, 1, "NaN", undefined)
/** The fields that order and filter rows. Most values repeat, so that equal rows keep the order of the dataset. */
const anyColumns = fc.record({
  task: fc.constantFrom("qa", "qa", "Later"),
  latency: fc.constantFrom(null, 0, 7, 7.5),
  error: fc.constantFrom(null, null, "rate_limited", "inference_unreachable"),
  outcome: fc.constantFrom(null, "pass", "block"),
  finish: fc.constantFrom("stop", "length"),
  rank: fc.constantFrom<unknown>(2, 10, "10", "Zebra", "apple", true, null, [1], undefined),
})
const anyRow = fc
  .record({
    index: fc.nat({ max: 9 }),
    repeat: fc.nat({ max: 1 }),
    quality: score,
    words: fc.subarray(WORDS),
    columns: anyColumns,
  })
  .map(({ index, repeat, quality, words, columns: { task, latency, error, outcome, finish, rank } }) => {
    const sample = {
      output_text: words.slice(2).join(" "),
      response: outcome === null ? null : { outcome },
      usage: null,
      latency_ms: latency,
      finish_reason: finish,
    }
    const scores: EvaluationRow["scores"] = quality === undefined ? {} : { quality: { value: quality } }
    return rowOf(index, scores, {
      task,
      repeat,
      sample,
      item: { note: words.slice(0, 2), cost: 7.25, ...(rank === undefined ? {} : { rank }) },
      error: error === null ? null : { code: error, message: "It failed." },
    })
  })
const texts = [...WORDS.map((word) => word.toUpperCase()), "7.25", "e", "absent", "aab", "t", "fund"]
const within = fc.constantFrom<TextLocation>("row", "row", "output", "item:note", "item:absent")
type ColumnRowFilter = Exclude<RowFilter, { readonly field: "text" | "item" | "any" }>
const number = fc.constantFrom("$eq", "$lt", "$lte", "$gt", "$gte")
const anyColumnFilter: fc.Arbitrary<ColumnRowFilter> = fc.oneof(
  fc.record({
    field: fc.constantFrom("error", "verdict", "condition"),
    isIn: fc.boolean(),
    values: fc.subarray(["", "rate_limited", "pass", "block", "output_truncated", "gone"], { minLength: 1 }),
  }),
  fc.record({ field: fc.constant("latency"), operator: number, value: fc.constantFrom(0, 7, 7.25) }),
  fc.record({
    field: fc.constant("score"),
    metric: fc.constantFrom("quality", "quality.value"),
    operator: number,
    value: fc.constantFrom(0, 0.5),
  }),
)
const anyFilters: fc.Arbitrary<readonly RowFilter[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ field: fc.constant("text" as const), within, part: fc.constantFrom(...texts) }),
    },
    anyColumnFilter,
    fc.record({
      field: fc.constant("item" as const),
      name: fc.constantFrom("rank", "rank", "cost", "note", "gone"),
      operator: number,
      value: fc.constantFrom("2", "7.25", "10", "apple", "true", "null"),
    }),
    fc.record({
      field: fc.constant("any" as const),
      filters: fc.array(anyColumnFilter, { minLength: 1, maxLength: 3 }),
    }),
  ),
  { maxLength: 6 },
)
const isDescending = fc.boolean()
const anySort: fc.Arbitrary<RowSort> = fc.oneof(
  fc.record({
    by: fc.constantFrom("index", "task", "output", "latency", "condition", "verdict", "error"),
    isDescending,
  }),
  fc.record({ by: fc.constantFrom("score", "changed"), metric: fc.constant("quality"), isDescending }),
  fc.record({ by: fc.constant("item"), field: fc.constantFrom("rank", "note", "gone"), isDescending }),
) as fc.Arbitrary<RowSort>
const anyPairs: fc.Arbitrary<PlainRead["pairs"]> = fc.record({
  sort: fc.record({ by: fc.constantFrom("changed", "difference", "index"), isDescending }),
  change: fc.constantFrom(undefined, "up", "down", "same"),
})
const anyRead: fc.Arbitrary<PlainRead> = fc.record({
  kind: fc.constantFrom("page", "beside", "compare", "summarize", "attempts", "at", "draw", "judged"),
  job: fc.nat({ max: 2 }),
  other: fc.nat({ max: 2 }),
  task: fc.constantFrom(undefined, undefined, "qa", "Later", "absent"),
  filters: anyFilters,
  sort: anySort,
  pairs: anyPairs,
  offset: fc.nat({ max: 3 }),
  limit: fc.integer({ min: 1, max: 20 }),
})
async function read(lines: readonly RowLines[], asked: PlainRead): Promise<unknown> {
  const { kind, job, other, task, filters, sort, pairs: wanted, offset, limit } = asked
  const [mine, others] = [lines[job], lines[other]]
  if (mine === undefined || others === undefined) throw new Error("There are three jobs.")
  switch (kind) {
    case "page":
    case "beside": {
      const against = kind === "beside" ? others : undefined
      const { rows: found, total, matched } = await rows.page(mine, { task, filters, sort, offset, limit }, { against })
      return {
        rows: found.map(({ row, other: beside }) => (against === undefined ? row : [row, beside])),
        total,
        matched,
      }
    }
    case "compare": {
      const selection = { ...wanted, task, filters, metric: "quality", offset, limit } as Parameters<
        JobRows["compare"]
      >[1]
      const { metric: _metric, pairs, ...counts } = await rows.compare({ a: others, b: mine }, selection)
      return { pairs: pairs.map(({ a, b }) => [a, b]), ...counts }
    }
    case "summarize": {
      const stats = await rows.summarize(mine, { score: "quality", task, filters })
      return { count: stats.count, missing: stats.nan_count, mean: stats.mean, minimum: stats.min, maximum: stats.max }
    }
    case "attempts":
      return rows.row(mine, "qa", offset)
    case "at":
      return rows.at(
        mine,
        [0, 1].map((repeat) => ({ task: "qa", row: offset, repeat })),
      )
    case "draw": {
      const draw = {
        score: "quality",
        by: "uncertainty",
        seed: offset,
        count: limit,
        labelled: new Set<number>(),
      } as const
      const { candidates, rows: drawn } = await rows.draw(mine, draw)
      const different = new Set(drawn.map(({ row }) => JSON.stringify([row.item, row.sample?.output_text])))
      const digests = drawn.map(({ row }) => digestNumber(outputDigest(row)))
      expect(await rows.issued(mine, { score: "quality", by: "uncertainty", digests })).toEqual(
        drawn.map(({ probability }) => probability),
      )
      return { candidates, different: different.size }
    }
    case "judged":
    default: {
      const { values, mean } = await rows.judged(mine, "quality", new Map())
      return { values, sum: values === 0 ? 0 : mean * values }
    }
  }
}

describe("reads of the rows of jobs", () => {
  it(
    "find the same as a search of plain rows, with many readers at once and caches of one, while journals grow",
    verifies("eval.rows.filter", "eval.compare.rows", "eval.rows.distribution"),
    async () => {
      const first = [0, 1, 2].map((value) => rowOf(0, { quality: { value } }, { item: { note: [], cost: 7.25 } }))
      const anyJournals = fc.tuple(...[0, 1, 2].map(() => fc.array(anyRow, { maxLength: 15 })))
      const anyRound = fc.record({ added: anyJournals, reads: fc.array(anyRead, { minLength: 4, maxLength: 14 }) })
      await fc.assert(
        fc.asyncProperty(fc.array(anyRound, { minLength: 1, maxLength: 3 }), async (rounds) => {
          const paths = [0, 1, 2].map((job) => join(root, `${folders}-${job}`))
          folders++
          const lines = paths.map((path, job) => ({
            job: String(job),
            source: fileJournalSource(`${path}.jsonl`),
            folder: path,
          }))
          const journals: EvaluationRow[][] = [[], [], []]
          for (const [round, { added, reads }] of rounds.entries()) {
            for (const [job, path] of paths.entries()) {
              const news = [...(round === 0 ? first.slice(job, job + 1) : []), ...(added[job] ?? [])]
              const written = news.map((row, at) => ({ ...row, attempt: (journals[job]?.length ?? 0) + at + 1 }))
              await appendFile(`${path}.jsonl`, written.map((row) => `${JSON.stringify(row)}\n`).join(""))
              journals[job]?.push(...written)
            }
            const found = await Promise.all(reads.map((one) => read(lines, one)))
            expect(found).toEqual(reads.map((one) => readPlainly(journals, one)))
          }
        }),
        { numRuns: 6 },
      )
    },
  )
})

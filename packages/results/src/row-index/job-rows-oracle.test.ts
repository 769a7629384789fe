import { appendFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationRow, RowFilter, TextLocation } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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
const score = fc.constantFrom<number | "NaN">(0, 0.5, 1, "NaN")
const anyRow = fc
  .record({ index: fc.nat({ max: 9 }), repeat: fc.nat({ max: 1 }), quality: score, words: fc.subarray(WORDS) })
  .map(({ index, repeat, quality, words }) => {
    const sample = {
      output_text: words.slice(2).join(" "),
      response: null,
      usage: null,
      latency_ms: 1,
      finish_reason: null,
    }
    return rowOf(
      index,
      { quality: { value: quality } },
      { repeat, sample, item: { note: words.slice(0, 2), cost: 7.25 } },
    )
  })
const texts = [...WORDS.map((word) => word.toUpperCase()), "7.25", "e", "absent", "aab", "t", "fund"]
const within = fc.constantFrom<TextLocation>("row", "row", "output", "item:note", "item:absent")
const GOOD = { field: "score", metric: "quality", operator: "$gte", value: 0.5 } as const
const anyFilters: fc.Arbitrary<readonly RowFilter[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ field: fc.constant("text" as const), within, part: fc.constantFrom(...texts) }),
    },
    fc.constant(GOOD),
    fc.constant({ field: "any" as const, filters: [GOOD, { field: "error" as const, isIn: false, values: [""] }] }),
  ),
  { maxLength: 7 },
)
const anyRead = fc.record({
  kind: fc.constantFrom("page", "beside", "compare", "summarize", "attempts", "at", "judged"),
  job: fc.nat({ max: 2 }),
  other: fc.nat({ max: 2 }),
  filters: anyFilters,
  offset: fc.nat({ max: 3 }),
  limit: fc.integer({ min: 1, max: 20 }),
})
type Read = typeof anyRead extends fc.Arbitrary<infer T> ? T : never

const positionOf = ({ row_index, repeat }: EvaluationRow) => row_index * 2 + repeat
const valueOf = (row: EvaluationRow) => Number(row.scores["quality"]?.["value"])

/** Returns the rows that count, in the order of the dataset. */
function latest(journal: readonly EvaluationRow[]): readonly EvaluationRow[] {
  return [...new Map(journal.map((row) => [positionOf(row), row])).values()].toSorted(
    (a, b) => positionOf(a) - positionOf(b),
  )
}

function matches(row: EvaluationRow, filters: readonly RowFilter[]): boolean {
  const { note, cost } = row.item as { readonly note: readonly string[]; readonly cost: number }
  const output = row.sample?.output_text ?? ""
  const strings = { row: [...note, String(cost), output], output: [output], "item:note": note, "item:absent": [] }
  return filters.every((filter) =>
    filter.field === "text"
      ? strings[filter.within as keyof typeof strings].some((text) =>
          text.toLowerCase().includes(filter.part.toLowerCase()),
        )
      : valueOf(row) >= 0.5,
  )
}

/** Returns the same read of plain rows. */
function expected(journals: readonly (readonly EvaluationRow[])[], { kind, job, other, filters, offset, limit }: Read) {
  const [mine, others] = [latest(journals[job] ?? []), latest(journals[other] ?? [])]
  const besideOf = (row: EvaluationRow) => others.find((one) => positionOf(one) === positionOf(row)) ?? null
  const matching = mine.filter((row) => matches(row, filters))
  const page = matching.slice(offset, offset + limit)
  switch (kind) {
    case "page":
      return { rows: page, total: mine.length, matched: matching.length }
    case "beside":
      return { rows: page.map((row) => [row, besideOf(row)]), total: mine.length, matched: matching.length }
    case "compare": {
      const shared = matching.filter((row) => besideOf(row) !== null)
      const total = mine.filter((row) => besideOf(row) !== null).length
      const pairs = shared.slice(offset, offset + limit).map((row) => [besideOf(row), row])
      return { pairs, total, matched: shared.length, onlyA: others.length - total, onlyB: mine.length - total }
    }
    case "summarize": {
      const values = matching.map(valueOf).filter((value) => !Number.isNaN(value))
      const mean = values.length === 0 ? "NaN" : values.reduce((sum, value) => sum + value, 0) / values.length
      return { count: values.length, missing: matching.length - values.length, mean }
    }
    case "attempts":
      return (journals[job] ?? []).filter(({ row_index }) => row_index === offset)
    case "at":
      return [0, 1].map((repeat) => mine.find((row) => positionOf(row) === offset * 2 + repeat))
    case "judged":
    default: {
      const values = mine.map(valueOf).filter((value) => !Number.isNaN(value))
      return { values: values.length, sum: values.reduce((sum, value) => sum + value, 0) }
    }
  }
}

async function read(lines: readonly RowLines[], { kind, job, other, filters, offset, limit }: Read): Promise<unknown> {
  const [mine, others] = [lines[job], lines[other]]
  if (mine === undefined || others === undefined) throw new Error("There are three jobs.")
  const sort = { by: "index", isDescending: false } as const
  switch (kind) {
    case "page":
    case "beside": {
      const against = kind === "beside" ? others : undefined
      const { rows: found, total, matched } = await rows.page(mine, { filters, sort, offset, limit }, { against })
      return {
        rows: found.map(({ row, other: beside }) => (against === undefined ? row : [row, beside])),
        total,
        matched,
      }
    }
    case "compare": {
      const selection = { filters, metric: "quality", sort, offset, limit }
      const { metric: _metric, pairs, ...counts } = await rows.compare({ a: others, b: mine }, selection)
      return { pairs: pairs.map(({ a, b }) => [a, b]), ...counts }
    }
    case "summarize": {
      const { count, nan_count: missing, mean } = await rows.summarize(mine, { score: "quality", filters })
      return { count, missing, mean }
    }
    case "attempts":
      return rows.row(mine, "qa", offset)
    case "at":
      return rows.at(
        mine,
        [0, 1].map((repeat) => ({ task: "qa", row: offset, repeat })),
      )
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
            expect(found).toEqual(reads.map((one) => expected(journals, one)))
          }
        }),
        { numRuns: 6 },
      )
    },
  )
})

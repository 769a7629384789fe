import type { LabelRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { digestNumber } from "../rows/output-digest.ts"
import { labelAgreement } from "./label-agreement.ts"
import { labelsByAuthor, peopleLabels, unsureDigests } from "./people-labels.ts"
import { rowsToAsk } from "./rows-to-ask.ts"

const SCORE = "judge.ok"
const digestOf = (row: number) =>
  String(row)
    .padStart(64, "0")
    .replace(/^0{12}/u, String(row).padStart(12, "0"))
const given = (row: number, author: string | null, label: number | null, more: Partial<LabelRow> = {}): LabelRow => ({
  digest: digestOf(row),
  metric: SCORE,
  label,
  author,
  created_at: "2026-11-30T00:00:00Z",
  probability: 1,
  draw: null,
  job: "eval-1",
  task: "qa",
  row_index: row,
  repeat: 0,
  ...more,
})
const ROWS = [
  given(1, "ann", 1),
  given(1, "bob", 1),
  given(2, "ann", 0),
  given(2, "bob", 1),
  given(3, "ann", null),
  given(4, "ann", null),
  given(4, "bob", 0),
  given(5, "ann", 1),
  given(5, "ann", null, { withdrawn: true }),
]
const numbers = (...rows: readonly number[]) => new Set(rows.map((row) => digestNumber(digestOf(row))))

describe("labels of two authors", () => {
  it("count without those that are unsure or taken back", () => {
    expect([...peopleLabels(ROWS, SCORE)].map(([digest, { label }]) => [digest, label])).toEqual(
      [1, 2, 4].map((row, at) => [digestNumber(digestOf(row)), [1, 0.5, 0][at]]),
    )
    expect(unsureDigests(labelsByAuthor(ROWS, SCORE))).toEqual([...numbers(3)])
  })

  it("ask each author about rows that are open, labelled by others, or disputed", () => {
    const ask = (rows: "open" | "others" | "disputed", author?: string) =>
      rowsToAsk(ROWS, { score: SCORE, rows, author })
    expect(ask("open")).toEqual({ except: numbers(1, 2, 3, 4), only: undefined })
    expect(ask("open", "bob")).toEqual({ except: numbers(1, 2, 4), only: undefined })
    expect(ask("others", "cid")).toEqual({ except: numbers(), only: numbers(1, 2, 4) })
    expect(ask("others", "ann")).toEqual({ except: numbers(1, 2, 3, 4), only: numbers(1, 2, 4) })
    expect(ask("disputed", "ann")).toEqual({ except: numbers(), only: numbers(2) })
  })

  it("have an agreement over the rows of the job that both labelled", verifies("labels.authors"), () => {
    const options = { score: SCORE, isNominal: true, digests: numbers(1, 2, 4) }
    expect(labelAgreement(ROWS, options)).toMatchObject({
      authors: ["ann", "bob"],
      rows: 2,
      same: 1,
      alpha: 0,
      kappa: 0,
    })
    expect(labelAgreement(ROWS, { ...options, digests: numbers(4) })).toBeNull()
    const many = Array.from({ length: 40 }, (_, row) => [
      given(row, "ann", row % 2),
      given(row, "bob", row % 10 === 0 ? 1 : row % 2),
    ]).flat()
    const found = labelAgreement(many, { ...options, digests: numbers(...Array(40).keys()) })
    expect(found).toMatchObject({ rows: 40, same: 36 })
    expect(found?.kappa).toBeCloseTo(0.8, 5)
    expect(found?.kappa_interval?.low).toBeLessThan(0.8)
    expect(found?.alpha_interval?.high).toBeGreaterThan(0.8)
  })
})

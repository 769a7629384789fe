import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { checkRun, type RunToCheck } from "./check-run.ts"

const line = (row: number, text = row % 3 === 0 ? "right" : "wrong") =>
  JSON.stringify({ row_index: row, item: { row }, sample: { output_text: text } })
const question = (row: number) => ({ row, at: row, answeredAt: row + 1 })
const RUN: RunToCheck = {
  rows: 3,
  parallelism: 2,
  history: { questions: [0, 1, 2].map(question), peak: 2, inFlightAtKills: 0 },
  output: {
    lines: [0, 1, 2].map((row) => line(row)),
    stats: { count: 3, mean: 1 / 3 },
    listed: { last: [0, 1, 2], total: 3 },
  },
}

/** Returns the faults of a run that differs from a correct one. */
async function faultsOf(over: { readonly history?: object; readonly output?: object }): Promise<readonly string[]> {
  const history = { ...RUN.history, ...over.history }
  const { faults } = await checkRun({ ...RUN, history, output: { ...RUN.output, ...over.output } })
  return faults
}

describe("the checker of runs", () => {
  it("accepts a correct run", async () => {
    expect(await checkRun(RUN)).toEqual({ asked: 3, askedAgain: 0, faults: [] })
  })

  it("finds rows that are missing, doubled, exchanged or wrong", verifies("scale.checker"), async () => {
    expect(await faultsOf({ output: { lines: [line(0), line(1)] } })).toEqual(["Row 2 is not in the results."])
    expect(await faultsOf({ output: { lines: [0, 1, 2, 2].map((row) => line(row)) } })).toEqual([
      "Row 2 is in the results more than once.",
    ])
    expect(await faultsOf({ output: { lines: [line(0), line(1), line(2, "right")] } })).toEqual([
      "Row 2 has the answer 'right' instead of 'wrong'.",
    ])
    const exchanged = line(1).replace('"row":1', '"row":2')
    expect(await faultsOf({ output: { lines: [line(0), exchanged, line(2)] } })).toEqual([
      "Row 1 has the item of row 2.",
    ])
    expect(await faultsOf({ output: { lines: [0, 1, 2, 3].map((row) => line(row)) } })).toEqual([
      "The results have 4 rows instead of 3.",
    ])
  })

  it("finds a score that is not that of the answers", async () => {
    expect(await faultsOf({ output: { stats: { count: 3, mean: 0.5 } } })).toEqual([
      "The score has the mean 0.5 of 3 rows, not 0.3333333333333333.",
    ])
  })

  it("finds rows that the API does not list", async () => {
    expect(await faultsOf({ output: { listed: { last: [0, 2], total: 2 } } })).toEqual([
      "The API lists 2 rows that end with 0, 2.",
    ])
  })

  it("finds more questions than kills explain, and too many at a time", verifies("scale.checker"), async () => {
    const questions = [0, 1, 2, 1, 2].map(question)
    expect(await faultsOf({ history: { questions, inFlightAtKills: 2 } })).toEqual([])
    expect(await faultsOf({ history: { questions, inFlightAtKills: 1 } })).toEqual([
      "2 questions were asked again; at the kills, 1 were in flight.",
    ])
    expect(await faultsOf({ history: { peak: 3 } })).toEqual(["3 requests were in flight; allowed are 2."])
  })
})

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvaluationRow } from "@assay/schemas"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { formatRequests } from "@assay/results/testing"
import { collectAppendedFacts } from "./appended-facts.ts"
import type { FileJournal } from "./journal.ts"
import { openFileJournal } from "./open-file-journal.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "facts-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const row = fc
  .record({
    task: fc.constantFrom("a", "b", "c"),
    row_index: fc.nat(3),
    repeat: fc.nat(1),
    attempt: fc.integer({ min: 1, max: 2 }),
    latency_ms: fc.option(fc.nat(5)),
    score: fc.option(fc.constantFrom(0, 0.5, "NaN" as const)),
  })
  .map(({ latency_ms, score, ...key }): EvaluationRow => {
    const sample = { output_text: "text", response: null, usage: null, latency_ms, finish_reason: "stop" }
    const failure = { code: "timeout", message: "It took too long." } as const
    const outcome = score === null ? { scores: {}, error: failure } : { scores: { right: { score } }, error: null }
    return { ...key, item: { text: "item" }, sample, ...outcome }
  })
const TASKS = [
  ["a", "b", "c"],
  ["c", "a", "b"],
  ["b", "c"],
] as const
/** Rows in any order, or in that of the first tasks. */
const rows = fc.array(row, { maxLength: 8 }).chain((all) =>
  fc.constantFrom(
    all,
    all.toSorted((x, y) => compare(x, y, TASKS[0])),
  ),
)

function compare(x: EvaluationRow, y: EvaluationRow, tasks: readonly string[]): number {
  return tasks.indexOf(x.task) - tasks.indexOf(y.task) || x.row_index - y.row_index || x.repeat - y.repeat
}

const factsOf = async (journal: FileJournal) => (await Array.fromAsync(journal.readFacts?.([]) ?? [])).flat()
const withoutTexts = ({ sample, ...others }: EvaluationRow) => ({ ...others, item: {}, hasSample: sample !== null })

describe("a journal that was empty", () => {
  it("knows the facts and the order of its rows as if they were read again", async () => {
    let at = 0
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(...TASKS), async (all, tasks) => {
        const path = join(folder, `${at++}.jsonl`)
        await using resources = new AsyncDisposableStack()
        const journal = await openFileJournal(path, { sync: false, keepsFacts: true })
        resources.defer(() => journal.close())
        for (const one of all) journal.append(one)
        const read = (await Array.fromAsync(journal.read())).flat()
        const facts = await factsOf(journal)
        expect(facts.map(withoutTexts)).toEqual(read.map(withoutTexts))
        expect(formatRequests(facts)).toBe(formatRequests(read))
        const isKnown = read.every(({ task }) => tasks.some((one) => one === task))
        const sorted = read.toSorted((x, y) => compare(x, y, tasks))
        expect(journal.isInOrder?.(tasks)).toBe(isKnown && JSON.stringify(sorted) === JSON.stringify(read))
      }),
      { numRuns: 150 },
    )
  })

  it("reads its rows again if fields of items are wanted, if facts were not to be kept, and after it was opened again", async () => {
    const path = join(folder, "rows.jsonl")
    const one = fc.sample(row, { numRuns: 1, seed: 1 })[0] ?? expect.fail("There is no row.")
    const first = await openFileJournal(path, { sync: false, keepsFacts: true })
    first.append(one)
    expect((await factsOf(first)).map(({ item }) => item)).toEqual([{}])
    expect((await Array.fromAsync(first.readFacts?.(["text"]) ?? [])).flat()).toEqual([one])
    await first.close()
    const plain = await openFileJournal(join(folder, "plain.jsonl"), { sync: false })
    plain.append(one)
    expect(await factsOf(plain)).toEqual([one])
    expect(plain.isInOrder?.([one.task])).toBe(true)
    await plain.close()
    const again = await openFileJournal(path, { sync: false, keepsFacts: true })
    again.append(one)
    expect(await factsOf(again)).toEqual([one, one])
    expect(again.isInOrder?.([one.task])).toBe(false)
    await again.close()
  })
})

it("Facts that are too long are not kept, and none is left out", () => {
  const all = fc.sample(row, { numRuns: 200, seed: 1 }).map((one) => ({ ...one, task: "a" }))
  for (const length of [2_000, 5_000, 500_000]) {
    const facts = collectAppendedFacts(length)
    for (const one of all) facts.add(one)
    const found = facts.rows()
    expect(found === undefined ? "none" : [...found].flat().length).toBe(length === 500_000 ? 200 : "none")
  }
})

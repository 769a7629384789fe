import type { EvaluationRow } from "@assay/schemas"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { mergeLines } from "./merge-lines.ts"

function lineOf(row: number, repeat: number, attempt: number, text = ""): string {
  const line: Partial<EvaluationRow> = { task: "a", row_index: row, repeat, attempt, item: { text }, scores: {} }
  return `${JSON.stringify(line)}\n`
}

async function* piecesOf(text: string, size: number): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function merged(texts: readonly string[], size = 100): Promise<string> {
  const pieces = await Array.fromAsync(mergeLines(texts.map((text) => piecesOf(text, size))))
  return Buffer.concat(pieces).toString()
}

const ROW = fc.record({
  row: fc.nat(60),
  attempts: fc.integer({ min: 1, max: 3 }),
  repeats: fc.integer({ min: 1, max: 2 }),
})

it("The lines of several readers are merged in the order of rows, repeats and attempts", async () => {
  const rows = fc.uniqueArray(ROW, { selector: ({ row }) => row, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 300 }),
      async (all, readers, size) => {
        const ordered = all.toSorted((a, b) => a.row - b.row)
        const linesOf = ({ row, attempts, repeats }: (typeof all)[number]) =>
          Array.from({ length: repeats * attempts }, (_, at) =>
            lineOf(row, Math.floor(at / attempts), 1 + (at % attempts)),
          )
        const texts = Array.from({ length: readers }, (_, reader) =>
          ordered
            .filter(({ row }) => (row * 7) % readers === reader)
            .flatMap(linesOf)
            .join(""),
        )
        expect(await merged(texts, size)).toBe(ordered.flatMap(linesOf).join(""))
      },
    ),
  )
})

it("Lines that are not rows are left out, and so is a line without its end", async () => {
  expect(await merged([`${lineOf(1, 0, 1)}{"no": "row"}\n${lineOf(3, 0, 1)}{"task":"a"`, `\n${lineOf(2, 0, 1)}`])).toBe(
    [1, 2, 3].map((row) => lineOf(row, 0, 1)).join(""),
  )
})

it("Readers are closed when their reader stops early, or when one of them fails", async () => {
  const closed: string[] = []
  async function* reader(name: string, fails: boolean): AsyncGenerator<Uint8Array, void> {
    try {
      for (let row = 0; row < 100; row++) {
        if (fails && row > 50) throw new Error("The storage does not respond.")
        yield Buffer.from(lineOf(row, 0, 1, "x".repeat(100_000)))
      }
    } finally {
      closed.push(name)
    }
  }
  for await (const _ of mergeLines([reader("one", false), reader("two", false)])) break
  expect(closed.toSorted()).toEqual(["one", "two"])
  const failing = Array.fromAsync(mergeLines([reader("three", true), reader("four", false)]))
  await expect(failing).rejects.toThrow("The storage does not respond.")
  expect(closed.toSorted()).toEqual(["four", "one", "three", "two"])
})

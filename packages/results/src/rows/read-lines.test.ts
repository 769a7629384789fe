import { describe, expect, it } from "vitest"
import { linesOf, wholeLines } from "./read-lines.ts"
import { readRows } from "./read-rows.ts"
import { rowOf } from "../testing/tiny-result.ts"

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  return Array.fromAsync(items)
}

describe("lines that are read in pieces", () => {
  const text = Buffer.from('{"a":1}\n\n{"b":"ü"}\n{"c":3}\n{"torn')
  const whole = text.subarray(0, text.lastIndexOf(10) + 1)

  it("are the same for every size of the pieces, without the torn last one", async () => {
    for (let size = 1; size <= text.length + 1; size++) {
      const pieces = await listOf(wholeLines(cut(text, size)))
      expect(pieces.every((piece) => piece.at(-1) === 10)).toBe(true)
      expect(Buffer.concat(pieces)).toEqual(whole)
      const lines = (await listOf(linesOf(cut(text, size)))).flat()
      expect(lines.map(({ text: line }) => line.toString())).toEqual(['{"a":1}', "", '{"b":"ü"}', '{"c":3}'])
      for (const { start, text: line } of lines) expect(text.subarray(start, start + line.length)).toEqual(line)
    }
  })

  it("are copied only if they are in two pieces", async () => {
    const pieces = await listOf(wholeLines(cut(text, 14)))
    // The second one is the copy. The lines behind it stay where they are.
    expect(pieces.map(String)).toEqual(['{"a":1}\n\n', '{"b":"ü"}\n', '{"c":3}\n'])
  })

  it("have the same rows for every size of the pieces", async () => {
    const rows = [rowOf(0, { f1: { value: 1 } }), rowOf(1, { f1: { value: 0.5 } })]
    const journal = Buffer.from(`${rows.map((row) => JSON.stringify(row)).join("\nnot a row\n")}\n{"torn`)
    for (let size = 1; size <= journal.length; size += 7) {
      expect((await listOf(readRows(cut(journal, size)))).flat()).toEqual(rows)
    }
  })
})

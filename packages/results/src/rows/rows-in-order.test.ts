import type { EvaluationRow } from "@assay/schemas"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { rowsInOrder } from "./rows-in-order.ts"

const WIDTH = 16 * 1024

interface Key {
  readonly task: string
  readonly row: number
  readonly repeat: number
  readonly attempt: number
  readonly text: string
}

function lineOf({ task, row, repeat, attempt, text }: Key): string {
  const line: Partial<EvaluationRow> = { task, row_index: row, repeat, attempt, item: { text }, scores: {} }
  return JSON.stringify(line)
}

/** Bytes of 64 wide rows. */
const MAX_WAITING = 64 * WIDTH

/** A reader of lines in pieces of any size. Without `canSlice`, it can only be read from the beginning. */
function readerOf(lines: readonly string[], size: number, canSlice: boolean) {
  const all = Buffer.from(lines.map((line) => `${line}\n`).join(""))
  return {
    async *bytes() {
      for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
    },
    ...(canSlice ? { slice: async (start: number, end: number) => all.subarray(start, end) } : {}),
  }
}

async function inOrder(reader: ReturnType<typeof readerOf>, lines: "all" | "attempts"): Promise<readonly string[]> {
  const pieces = await Array.fromAsync(rowsInOrder(reader, { tasks: ["b", "a"], lines, maxWaiting: MAX_WAITING }))
  const texts = pieces.map((piece) => Buffer.from(piece).toString())
  expect(texts.filter((text) => !text.endsWith("\n"))).toEqual([])
  return texts.join("").split("\n").slice(0, -1)
}

const KEY = fc.record({
  task: fc.constantFrom("a", "b", 'c"\\é'),
  row: fc.nat(30),
  repeat: fc.nat(2),
  attempt: fc.integer({ min: 1, max: 3 }),
  text: fc.string(),
})

/** A row of sixteen kibibytes. */
function wide(row: number): string {
  return lineOf({ task: "a", row, repeat: 0, attempt: 1, text: "x".repeat(WIDTH) })
}

function numbersOf(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => JSON.parse(line).row_index)
}

function countPasses(rows: readonly string[]) {
  const reader = readerOf(rows, 15_000, false)
  let passes = 0
  return {
    bytes: () => {
      passes++
      return reader.bytes()
    },
    passes: () => passes,
  }
}

describe("rows in order", () => {
  it("are those of the tasks, rows and repeats, and lines of one row stay in the order of writing", async () => {
    const property = fc.asyncProperty(
      fc.array(KEY, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4000 }),
      fc.boolean(),
      async (keys, size, canSlice) => {
        const order = ["b", "a", 'c"\\é']
        const sorted = keys.toSorted(
          (x, y) => order.indexOf(x.task) - order.indexOf(y.task) || x.row - y.row || x.repeat - y.repeat,
        )
        const reader = readerOf(keys.map(lineOf), size, canSlice)
        expect(await inOrder(reader, "all")).toEqual(sorted.map(lineOf))
        const byAttempt = sorted.toSorted(
          (x, y) =>
            order.indexOf(x.task) - order.indexOf(y.task) ||
            x.row - y.row ||
            x.repeat - y.repeat ||
            x.attempt - y.attempt,
        )
        const groups = Map.groupBy(byAttempt, ({ task, row, repeat, attempt }) =>
          JSON.stringify([task, row, repeat, attempt]),
        )
        const last = [...groups.values()].map((same) => same.at(-1)).filter((key) => key !== undefined)
        expect(await inOrder(reader, "attempts")).toEqual(last.map(lineOf))
        const only = rowsInOrder(reader, { tasks: ["a"], isOnly: true, lines: "all" })
        const ofTask = Buffer.concat(await Array.fromAsync(only)).toString()
        expect(ofTask).toBe(sorted.flatMap((key) => (key.task === "a" ? [`${lineOf(key)}\n`] : [])).join(""))
      },
    )
    await fc.assert(property)
  })

  it("leave out lines that are not rows, and a last line that was cut off", async () => {
    const rows = [1, 0].map((row) => lineOf({ task: "a", row, repeat: 0, attempt: 1, text: "" }))
    const reader = readerOf([rows[0] ?? "", "{}", "[", rows[1] ?? ""], 50, true)
    async function* bytes() {
      yield* reader.bytes()
      yield Buffer.from('{"task":"a","row_index":2')
    }
    expect(await inOrder({ ...reader, bytes }, "all")).toEqual(rows.toReversed())
  })

  it("come in pieces of whole lines, and without a line that was cut off, also if they are in order already", async () => {
    const row = (row: number, attempt: number) => lineOf({ task: "b", row, repeat: 0, attempt, text: "é".repeat(row) })
    const rows = [row(0, 1), row(1, 1), row(2, 1)]
    for (let size = 1; size < 200; size++) {
      const whole = readerOf(rows, size, false)
      async function* bytes() {
        yield* whole.bytes()
        yield Buffer.from('{"task":"b","row_index":3')
      }
      expect(await inOrder({ bytes }, "all")).toEqual(rows)
      expect(await inOrder({ bytes }, "attempts")).toEqual(rows)
    }
  })

  it("are read twice, from a reader that has to begin from the start, if few lines wait for their turn", async () => {
    const rows = Array.from({ length: 96 }, (_, row) => wide(row))
    const { bytes, passes } = countPasses(rows.map((_, at) => rows[at ^ 7] ?? ""))
    expect(numbersOf(await inOrder({ bytes }, "all"))).toEqual(numbersOf(rows))
    expect(passes()).toBe(2)
  })

  it("are read in several passes from such a reader if too many lines wait for their turn", async () => {
    const rows = Array.from({ length: 80 }, (_, row) => wide(row))
    const { bytes, passes } = countPasses(rows.toReversed())
    expect(numbersOf(await inOrder({ bytes }, "all"))).toEqual(numbersOf(rows))
    expect(passes()).toBeGreaterThan(2)
    expect(passes()).toBeLessThan(8)
    const kept = countPasses([...rows.toReversed(), ...rows.toReversed()])
    expect(numbersOf(await inOrder(kept, "attempts"))).toEqual(numbersOf(rows))
  })

  it("are not replaced by nothing if a reader loses them", async () => {
    const rows = [wide(1), wide(0)]
    let reads = 0
    const bytes = () => readerOf(reads++ === 0 ? rows : [], 1000, false).bytes()
    await expect(inOrder({ bytes }, "all")).rejects.toThrow("The rows changed while they were read.")
  })

  it("are read in few slices if they are much larger than what is kept in memory", async () => {
    const rows = Array.from({ length: 4000 }, (_, row) =>
      lineOf({ task: "a", row, repeat: 0, attempt: 1, text: "x".repeat(2000) }),
    )
    const swapped = rows.map((_, at) => rows[at ^ 7] ?? "")
    const reader = readerOf(swapped, 65_536, true)
    const spans: number[] = []
    const slice = async (start: number, end: number) => {
      spans.push(end - start)
      return (await reader.slice?.(start, end)) ?? Buffer.alloc(0)
    }
    expect(await inOrder({ ...reader, slice }, "all")).toEqual(rows)
    expect(spans.length).toBeLessThan(20)
    expect(Math.max(...spans)).toBeLessThan(5 * 1024 * 1024)
  })
})

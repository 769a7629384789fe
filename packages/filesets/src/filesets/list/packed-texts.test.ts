import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canBePart, createPackedTexts, type TextRow } from "./packed-texts.ts"

const rows = fc
  .array(
    fc.record({
      workspace: fc.constantFrom("default", "other"),
      text: fc.option(fc.string({ unit: fc.constantFrom("a", "b", "ß", "😀"), minLength: 1, maxLength: 9 }), {
        freq: 4,
      }),
      is_long: fc.constant(0),
      created_at: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 40, size: "max" },
  )
  .map((found) => found.map((row, index): TextRow => ({ ...row, seq: index * 2 + 1 })))
const search = fc.record({
  part: fc.string({ unit: fc.constantFrom("a", "b", "ß", "😀"), minLength: 1, maxLength: 5 }),
  workspace: fc.constantFrom(undefined, "default", "other", "nowhere"),
  direction: fc.constantFrom("asc" as const, "desc" as const),
  offset: fc.integer({ min: 0, max: 12 }),
  size: fc.integer({ min: 1, max: 6 }),
})

/** Orders rows as a database does whose ids fall with `seq`. */
function compare(direction: "asc" | "desc") {
  const sign = direction === "asc" ? 1 : -1
  return (a: TextRow, b: TextRow) => sign * (a.created_at - b.created_at) || b.seq - a.seq
}

describe("packed texts", () => {
  it("find the rows of each page and their number, in any order of times, also after more rows were added", () => {
    fc.assert(
      fc.property(
        rows,
        fc.boolean(),
        fc.nat(40),
        fc.array(search, { maxLength: 8, size: "max" }),
        (given, sorted, cut, searches) => {
          const all = sorted ? given.map((row, index) => ({ ...row, created_at: 1 + Math.floor(index / 5) })) : given
          const texts = createPackedTexts()
          for (const known of [all.slice(0, cut), all]) {
            texts.add(known.slice(texts.count()))
            expect(texts.lastSeq()).toBe(known.at(-1)?.seq ?? 0)
            for (const { part, workspace, direction, offset, size } of searches) {
              const expected = known
                .filter((row) => workspace === undefined || row.workspace === workspace)
                .filter((row) => row.text?.includes(part) === true)
                .toSorted(compare(direction))
              const { total, seqs, skipped } = texts.find({ part, workspace, direction, offset, size })
              expect(total).toBe(expected.length)
              const found = known.filter(({ seq }) => seqs.includes(seq)).toSorted(compare(direction))
              expect(found.slice(skipped, skipped + size)).toEqual(expected.slice(offset, offset + size))
            }
          }
        },
      ),
    )
  })

  it("are full when they have too many characters or rows, or a text that was not read", () => {
    const rowOf = (seq: number, text: string | null, is_long = 0) => ({
      seq,
      text,
      is_long,
      workspace: "default",
      created_at: seq,
    })
    const long = createPackedTexts()
    long.add([rowOf(1, "a".repeat(1_999_999))])
    expect(long.isFull()).toBe(false)
    long.add([rowOf(2, "b")])
    expect(long.isFull()).toBe(true)
    const many = createPackedTexts()
    many.add(Array.from({ length: 131_073 }, (_, index) => rowOf(index + 1, "a")))
    expect(many.isFull()).toBe(true)
    const unread = createPackedTexts()
    unread.add([rowOf(1, null)])
    expect(unread.isFull()).toBe(false)
    unread.add([rowOf(2, null, 1)])
    expect(unread.isFull()).toBe(true)
  })

  it("search no text that a database compares in another way", () => {
    expect(["", "a\0b", "\uD83D", "\uDE00a"].map(canBePart)).toEqual([false, false, false, false])
    expect(["a", "😀"].map(canBePart)).toEqual([true, true])
  })
})

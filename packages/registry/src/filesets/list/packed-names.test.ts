import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canBePart, createPackedNames, type NamedRow } from "./packed-names.ts"

const rows = fc
  .array(
    fc.record({
      workspace: fc.constantFrom("default", "other"),
      name_folded: fc.string({ unit: fc.constantFrom("a", "b", "ß", "😀"), minLength: 1, maxLength: 5 }),
      created_at: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 40, size: "max" },
  )
  .map((found) => found.map((row, index): NamedRow => ({ ...row, seq: index * 2 + 1 })))
const search = fc.record({
  part: fc.string({ unit: fc.constantFrom("a", "b", "ß", "😀"), minLength: 1, maxLength: 2 }),
  workspace: fc.constantFrom(undefined, "default", "other", "nowhere"),
  direction: fc.constantFrom("asc" as const, "desc" as const),
  offset: fc.integer({ min: 0, max: 12 }),
  size: fc.integer({ min: 1, max: 6 }),
})

/** Orders rows as a database does whose ids fall with `seq`. */
function compare(direction: "asc" | "desc") {
  const sign = direction === "asc" ? 1 : -1
  return (a: NamedRow, b: NamedRow) => sign * (a.created_at - b.created_at) || b.seq - a.seq
}

describe("packed names", () => {
  it("find the rows of each page and their number, in any order of times, also after more rows were added", () => {
    fc.assert(
      fc.property(
        rows,
        fc.boolean(),
        fc.nat(40),
        fc.array(search, { maxLength: 8, size: "max" }),
        (given, sorted, cut, searches) => {
          const all = sorted ? given.map((row, index) => ({ ...row, created_at: 1 + Math.floor(index / 5) })) : given
          const names = createPackedNames()
          for (const known of [all.slice(0, cut), all]) {
            names.add(known.slice(names.count()))
            expect(names.lastSeq()).toBe(known.at(-1)?.seq ?? 0)
            for (const { part, workspace, direction, offset, size } of searches) {
              const expected = known
                .filter((row) => workspace === undefined || row.workspace === workspace)
                .filter((row) => row.name_folded.includes(part))
                .toSorted(compare(direction))
              const { total, seqs, skipped } = names.find({ part, workspace, direction, offset, size })
              expect(total).toBe(expected.length)
              const found = known.filter(({ seq }) => seqs.includes(seq)).toSorted(compare(direction))
              expect(found.slice(skipped, skipped + size)).toEqual(expected.slice(offset, offset + size))
            }
          }
        },
      ),
    )
  })

  it("are full when they have too many characters or rows", () => {
    const rowOf = (seq: number, name_folded: string) => ({ seq, name_folded, workspace: "default", created_at: seq })
    const long = createPackedNames()
    long.add([rowOf(1, "a".repeat(1_999_999))])
    expect(long.isFull()).toBe(false)
    long.add([rowOf(2, "b")])
    expect(long.isFull()).toBe(true)
    const many = createPackedNames()
    many.add(Array.from({ length: 131_073 }, (_, index) => rowOf(index + 1, "a")))
    expect(many.isFull()).toBe(true)
  })

  it("search no text that a database compares in another way", () => {
    expect(["", "a\0b", "\uD83D", "\uDE00a"].map(canBePart)).toEqual([false, false, false, false])
    expect(["a", "😀"].map(canBePart)).toEqual([true, true])
  })
})

import * as fc from "fast-check"
import { expect, it } from "vitest"
import { createOrderMarks } from "./order-marks.ts"

const rows = fc.uniqueArray(
  fc.record({
    value: fc.integer({ min: 1, max: 6 }),
    id: fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 }),
  }),
  {
    selector: ({ value, id }) => `${value} ${id}`,
    maxLength: 40,
  },
)

it("Marks of a sorted listing keep their positions when rows are inserted before, between and after them", () => {
  fc.assert(
    fc.property(
      rows,
      rows,
      fc.constantFrom("asc", "desc"),
      fc.integer({ min: 1, max: 5 }),
      (given, added, direction, interval) => {
        const sign = direction === "asc" ? 1 : -1
        const compare = (a: (typeof given)[number], b: (typeof given)[number]) =>
          sign * (a.value - b.value) || (a.id < b.id ? -1 : a.id === b.id ? 0 : 1)
        let listing = given.toSorted(compare)
        const marks = createOrderMarks({ direction })
        for (
          let gap = marks.widerThan(interval, listing.length);
          gap !== undefined;
          gap = marks.widerThan(interval, listing.length)
        ) {
          const position = (gap.start?.position ?? 0) + interval
          const row = listing[position - 1]
          if (row === undefined) throw new Error(`There is no row ${position} of ${listing.length}.`)
          marks.add([{ ...row, position }])
        }
        for (const row of added) {
          if (listing.some((one) => compare(one, row) === 0)) continue
          marks.insert(row)
          listing = [...listing, row].toSorted(compare)
        }
        for (let offset = 0; offset <= listing.length + 2; offset += 1) {
          const found = marks.before(offset)
          if (found === undefined) continue
          expect(found.position).toBeLessThanOrEqual(offset)
          expect(listing[found.position - 1]).toEqual({ value: found.value, id: found.id })
        }
        const far = marks.before(listing.length)
        expect(
          far === undefined ? given.length <= interval : listing.length - far.position <= interval + added.length,
        ).toBe(true)
      },
    ),
  )
})

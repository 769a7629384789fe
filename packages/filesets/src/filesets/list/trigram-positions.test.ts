import * as fc from "fast-check"
import { expect, it } from "vitest"
import { createTrigramPositions } from "./trigram-positions.ts"

const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "ß"), maxLength: 60, size: "max" })

it("The positions of the rarest trigram include each position of a text, in ascending order and as many as counted", () => {
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 12, size: "max" }),
      fc.nat(700),
      fc.integer({ min: 3, max: 6 }),
      (pieces, at, length) => {
        const trigrams = createTrigramPositions()
        let text = ""
        for (const piece of pieces) {
          trigrams.add(piece, text.length)
          text += `${piece}\0`
        }
        const part = text.slice(at, at + length)
        if (part.length < 3 || part.includes("\0")) return
        const rarest = trigrams.rarestOf(part)
        if (rarest === undefined) throw new TypeError("The part has a trigram.")
        const positions = [...trigrams.positionsOf(part, rarest.offset)]
        expect(positions).toHaveLength(rarest.count)
        expect(positions).toEqual(positions.toSorted((a, b) => a - b))
        const expected = Array.from({ length: text.length }, (_, position) => position).filter((position) =>
          text.startsWith(part, position),
        )
        expect(positions).toEqual(expect.arrayContaining(expected.map((position) => position + rarest.offset)))
      },
    ),
  )
})

it("The lists of positions grow beyond their first blocks, and a text without trigrams has none", () => {
  const trigrams = createTrigramPositions()
  expect(trigrams.rarestOf("ab")).toBeUndefined()
  expect(trigrams.rarestOf("abc")).toEqual({ offset: 0, count: 0 })
  trigrams.add("a".repeat(200_000), 0)
  const positions = trigrams.positionsOf("aaa", 0)
  expect([positions.length, positions[0], positions.at(-1)]).toEqual([199_998, 0, 199_997])
})

import * as fc from "fast-check"
import { expect, it } from "vitest"
import { createTrigramPlaces } from "./trigram-places.ts"

const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "ß"), maxLength: 60, size: "max" })

it("The places of the rarest trigram include each place of a text, in ascending order and as many as counted", () => {
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 12, size: "max" }),
      fc.nat(700),
      fc.integer({ min: 3, max: 6 }),
      (pieces, at, length) => {
        const trigrams = createTrigramPlaces()
        let text = ""
        for (const piece of pieces) {
          trigrams.add(piece, text.length)
          text += `${piece}\0`
        }
        const part = text.slice(at, at + length)
        if (part.length < 3 || part.includes("\0")) return
        const rarest = trigrams.rarestOf(part)
        if (rarest === undefined) throw new TypeError("The part has a trigram.")
        const places = [...trigrams.placesOf(part, rarest.offset)]
        expect(places).toHaveLength(rarest.count)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        const expected = Array.from({ length: text.length }, (_, place) => place).filter((place) =>
          text.startsWith(part, place),
        )
        expect(places).toEqual(expect.arrayContaining(expected.map((place) => place + rarest.offset)))
      },
    ),
  )
})

it("The lists of places grow beyond their first blocks, and a text without trigrams has none", () => {
  const trigrams = createTrigramPlaces()
  expect(trigrams.rarestOf("ab")).toBeUndefined()
  expect(trigrams.rarestOf("abc")).toEqual({ offset: 0, count: 0 })
  trigrams.add("a".repeat(200_000), 0)
  const places = trigrams.placesOf("aaa", 0)
  expect([places.length, places[0], places.at(-1)]).toEqual([199_998, 0, 199_997])
})

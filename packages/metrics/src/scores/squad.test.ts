import { assert, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { SQUAD_CASES } from "../testing/squad-cases.ts"
import { exactMatch, f1, squadWords } from "./squad.ts"

describe("SQuAD's scores", () => {
  it.each(SQUAD_CASES)("have the reference values of $id", ({ input, expect: expected }) => {
    expect(exactMatch(input.prediction, input.references)).toBe(expected.exact_match)
    expect(f1(input.prediction, input.references)).toBeCloseTo(expected.f1, 9)
  })

  it.each([
    ["The  Cat's hat, a_b!", "cats hat ab"],
    ["an “a” the—end théâtre", "“ ” —end théâtre"],
    ["a.the", "athe"],
    ["An apple, then the other a", "apple then other"],
    ["\u00A0A\u00A0Größe ", "größe"],
    ["", ""],
  ])("normalise %j", (text, normalized) => {
    expect(squadWords(text).join(" ")).toBe(normalized)
  })

  it("count a word as often as both texts contain it", () => {
    expect(f1("yes no no no", ["no no yes"])).toBeCloseTo(6 / 7, 12)
  })

  it("are 1 if both texts are empty", () => {
    expect(f1("the", ["..."])).toBe(1)
    expect(exactMatch("the", ["..."])).toBe(1)
  })

  it("refuse a candidate without references", () => {
    expect(() => f1("a", [])).toThrow("references: is empty")
    expect(() => exactMatch("a", [])).toThrow("references: is empty")
  })

  it("are 0 to 1, symmetric, and 1 for the reference itself", () => {
    assert(
      property(string({ unit: "grapheme" }), string({ unit: "grapheme" }), (left, right) => {
        expect(f1(left, [right])).toBe(f1(right, [left]))
        expect(f1(left, [right])).toBeLessThanOrEqual(1)
        expect(f1(left, [right, left])).toBe(1)
        expect(exactMatch(left, [right, left])).toBe(1)
        expect(exactMatch(left, [right])).toBeLessThanOrEqual(f1(left, [right]))
      }),
    )
  })
})

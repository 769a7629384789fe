import { assert, constantFrom, property, array } from "fast-check"
import { describe, expect, it } from "vitest"
import { GSM8K_CASES, MATH_CASES } from "../../testing/mathematics-cases.ts"
import { scoreGsm8k } from "./gsm8k.ts"
import { isMathAnswer, lastBox } from "./math-answer.ts"
import { normalizeMath } from "./normalize-math.ts"

describe("an answer of GSM8K", () => {
  it.each(GSM8K_CASES)("has the scores of the harness: %j against %j", (candidate, expected, strict, flexible) => {
    expect(scoreGsm8k(candidate, expected)).toEqual({ strict, flexible })
  })
})

describe("an answer of MATH", () => {
  it.each(MATH_CASES)("is compared as by the harness: %j with %j", (candidate, expected, score) => {
    expect(Number(isMathAnswer(candidate, expected))).toBe(score)
  })

  it("is in its last box", () => {
    expect(lastBox("\\boxed{1} or \\boxed{\\frac{a}{b}}.")).toBe("\\frac{a}{b}")
    expect(lastBox("\\boxed{1} or \\boxed{2")).toBeUndefined()
    expect(lastBox("{}")).toBeUndefined()
  })

  it("equals itself, and is normalised once", () => {
    const pieces = constantFrom(
      "\\frac",
      "{",
      "}",
      "1",
      "2",
      "\\sqrt",
      "/",
      " ",
      "=",
      "x",
      ".",
      "\\boxed{",

      "é",
      "𝟙",
    )
    assert(
      property(array(pieces, { maxLength: 12 }), (list) => {
        const text = list.join("")
        expect(isMathAnswer(`\\boxed{${text}`, `\\boxed{${text}`)).toBe(true)
        expect(normalizeMath(text)?.includes(" ") ?? false).toBe(false)
      }),
    )
  })

  it("takes long hostile texts in linear time", () => {
    for (const piece of ["\\boxed{", "\\frac1", "\\sqrt2", "{", "$", "1/", "\\text{ ", "#### 1,", "\\\\"]) {
      const text = piece.repeat(100_000)
      expect(isMathAnswer(text, `${text}x`)).toBe(false)
      expect(scoreGsm8k(text, "never").strict).toBe(0)
    }
  })
})

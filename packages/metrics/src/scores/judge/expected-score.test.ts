import { assert, array, double, property } from "fast-check"
import { describe, expect, it } from "vitest"
import { expectedScore } from "./expected-score.ts"

const SCALE = { minimum: 1, maximum: 5 }
const token = (text: string, top: readonly (readonly [string, number])[]) => ({
  token: text,
  logprob: Math.log(0.5),
  top: top.map(([one, probability]) => ({ token: one, logprob: Math.log(probability) })),
})

describe("the expectation of a score", () => {
  it("weights each score by its probability, and leaves other tokens out", () => {
    const tokens = [
      token("Score", []),
      token(":", []),
      token(" 4", [
        [" 4", 0.6],
        ["5", 0.2],
        ["The", 0.2],
      ]),
    ]
    expect(expectedScore(tokens, 4, SCALE)).toBeCloseTo((4 * 0.6 + 5 * 0.2) / 0.8)
  })

  it("adds up the spellings of one score", () => {
    expect(
      expectedScore(
        [
          token("4", [
            ["4", 0.4],
            [" 4", 0.2],
            ["**2", 0.2],
          ]),
        ],
        4,
        SCALE,
      ),
    ).toBeCloseTo(3.5)
  })

  it.each([
    ["no token is the score", [token("four", [["four", 1]])]],
    ["no alternatives are listed", [token("4", [])]],
    ["a log-probability is above 0", [token("4", [["4", 1.1]])]],
    [
      "a log-probability is not a number",
      [
        token("4", [
          ["4", 0.5],
          ["5", Number.NaN],
        ]),
      ],
    ],
    [
      "the probabilities exceed 1",
      [
        token("4", [
          ["4", 0.8],
          ["5", 0.8],
        ]),
      ],
    ],
    ["all probabilities are 0", [token("4", [["4", 0]])]],
  ])("is null if %s", (_, tokens) => {
    expect(expectedScore(tokens, 4, SCALE)).toBeNull()
  })

  it("never leaves the scale", () => {
    const logprobs = array(double({ min: -50, max: 0, noNaN: true }), { minLength: 5, maxLength: 5 })
    assert(
      property(logprobs, (list) => {
        const top = list.map((logprob, index) => ({ token: String(index + 1), logprob }))
        const found = expectedScore([{ token: "3", logprob: -1, top }], 3, SCALE)
        expect(found === null || (found >= 1 && found <= 5)).toBe(true)
      }),
    )
  })
})

import { describe, expect, it } from "vitest"
import { scoreScale } from "./score-scale.ts"

const judge = (scores: unknown) => ({ type: "llm-judge", params: { scores } })

describe("the scale of a judge's score", () => {
  it.each([
    ["its minimum and maximum", { type: "int", minimum: 1, maximum: 5 }, [1, 5]],
    ["its range", { type: "int", range: { minimum: 0, maximum: 10 } }, [0, 10]],
    ["no and yes", { type: "boolean" }, [0, 1]],
    [
      "the labels of a rubric",
      {
        rubric: [
          { label: "good", value: 2 },
          { label: "bad", value: -1 },
        ],
      },
      [-1, 2],
    ],
    ["the values of a rubric", { type: "rubric", rubric: { good: 1, fair: 0.5, bad: 0 } }, [0, 1]],
    ["not known with one end", { type: "float", minimum: 0 }, undefined],
    ["not known with a word for a value", { rubric: { good: "high", bad: 0 } }, undefined],
  ])("is %s, in a list of scores as well", (_what, definition, scale) => {
    expect(scoreScale(judge({ tone: definition }), "tone")).toEqual(scale)
    expect(scoreScale(judge([{ name: "tone", ...definition }]), "tone")).toEqual(scale)
    expect(scoreScale(judge({ tone: definition }))).toEqual(scale)
    expect(scoreScale(judge({ tone: definition, other: {} }))).toBeUndefined()
  })
})

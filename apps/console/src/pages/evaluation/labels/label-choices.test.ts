import type { LabelQuestion } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { labelChoices, labelOfKey } from "./label-choices.ts"

const NONE: LabelQuestion = {
  prompt: null,
  low: null,
  high: null,
  rubric: [],
  yes: null,
  no: null,
  is_higher_better: null,
}
const shown = (question: Partial<LabelQuestion>) =>
  labelChoices({ ...NONE, ...question }).map(({ key, words, label }) => `${key} ${words} ${label}`)

describe("the keys of labels", () => {
  it("choose the rubric's answers in its order, and y and n those that mean yes and no", () => {
    const rubric = ["bad", "yes", "no"].map((label, value) => ({ label, value }))
    expect(shown({ rubric, yes: 1, no: 2 })).toEqual(["1 bad 0", "2 yes 1", "3 no 2", "u Unsure null"])
    expect(labelOfKey("y", { ...NONE, rubric, yes: 1, no: 2 })).toBe(1)
    expect(labelOfKey("2", { ...NONE, rubric, yes: 1, no: 2 })).toBe(1)
    const long = Array.from({ length: 11 }, (_, value) => ({ label: `w${value}`, value }))
    expect(shown({ rubric: long }).slice(8, 10)).toEqual(["9 w8 8", " w9 9"])
    expect(labelOfKey("", { ...NONE, rubric: long })).toBeUndefined()
  })

  it("are y, n and u for a judge that says yes or no, and the numbers of a short scale for others", () => {
    expect(shown({ low: 0, high: 1, yes: 1, no: 0 })).toEqual(["y Yes 1", "n No 0", "u Unsure null"])
    expect(shown({ low: 1, high: 5 })).toEqual(["1 1 1", "2 2 2", "3 3 3", "4 4 4", "5 5 5", "u Unsure null"])
    expect(shown({ low: 0, high: 100 })).toEqual(["u Unsure null"])
    expect(["y", "n", "1", "u", "x"].map((key) => labelOfKey(key, { ...NONE, low: 0, high: 10 }))).toEqual([
      undefined,
      undefined,
      undefined,
      null,
      undefined,
    ])
  })
})

import { describe, expect, it } from "vitest"
import { judgeQuestion } from "./judge-question.ts"

describe("the question of a judge", () => {
  it("is its messages without the templates that repeat the row", () => {
    const whole =
      "system: Is it polite?\nAnswer yes or no.\n\nuser: user: {{ question }}\nassistant: {{ sample.output_text }}"
    expect(judgeQuestion(whole)).toEqual({
      asked: "Is it polite?\nAnswer yes or no.",
      // A transcript has its own roles.
      whole: whole.replace("user: user: ", "user: "),
    })
    expect(judgeQuestion("Which one is kinder?")).toEqual({ asked: "Which one is kinder?", whole: undefined })
  })

  it("is the whole prompt if each message has a template", () => {
    const only = "Is {{ sample.output_text }} polite?"
    expect(judgeQuestion(`user: ${only}`)).toEqual({ asked: only, whole: undefined })
    const two = "system: Be {{ item.mood }}.\n\nuser: {{ question }}"
    expect(judgeQuestion(two)).toEqual({ asked: two, whole: undefined })
  })
})

import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatScale, isOnScale, labelQuestion, parseLabel } from "./label-question.ts"

const SEEN = { low: 0, high: 1 }
const template = { messages: [{ role: "user", content: "Is it harmful? {{ sample.output_text }}" }] }
const questionOf = (score: object, type = "llm-judge") =>
  labelQuestion(
    {
      type: "custom",
      tasks: { qa: { type: "data", metrics: { judge: { type, params: { template, scores: { harm: score } } } } } },
    },
    "judge.harm",
    SEEN,
  )

it("has the scale and the criterion of g-eval, whatever its scores are", verifies("labels.question"), () => {
  const asked = (params: object) => {
    const metrics = { good: { type: "g-eval", params: { ...params } } }
    const { prompt, low, high } = labelQuestion(
      { type: "custom", tasks: { qa: { type: "data", metrics } } },
      "good.g-eval",
      SEEN,
    )
    return [prompt, low, high]
  }
  expect(asked({})).toEqual([null, 1, 5])
  expect(asked({ criteria: "It is polite.", scale: [0, 10] })).toEqual(["It is polite.", 0, 10])
})

it("of a judge of pairs is its criterion, and its answers are A, a tie and B", verifies("labels.question"), () => {
  const questionOf = (params: object, score = "pair.pairwise") => {
    const metrics = { pair: { type: "pairwise", params: { against: "{{ item.old }}", ...params } } }
    return labelQuestion({ type: "custom", tasks: { qa: { type: "data", metrics } } }, score, SEEN)
  }
  expect(questionOf({ ask: "Which one is kinder?" })).toMatchObject({
    prompt: "Which one is kinder?",
    low: 0,
    high: 1,
    rubric: [
      { label: "A", value: 1 },
      { label: "tie", value: 0.5 },
      { label: "B", value: 0 },
    ],
  })
  expect(questionOf({}).prompt).toMatch(/^Which answer serves the request better/u)
  expect(parseLabel("b", questionOf({}))).toBe(0)
  expect(questionOf({}, "pair.tie")).toMatchObject({ prompt: null, rubric: [] })
})

describe("the question that people answer", () => {
  it.each<readonly [string, object, readonly [unknown, unknown], readonly [unknown, unknown]]>([
    ["a boolean", { type: "boolean" }, [1, 0], [0, 1]],
    ["a rubric whose yes is 0", { rubric: { Yes: 0, No: 1 } }, [0, 1], [0, 1]],
    [
      "a rubric with yes and no of five",
      {
        rubric: [
          { label: "yes", value: 5 },
          { label: "no", value: 1 },
        ],
      },
      [5, 1],
      [1, 5],
    ],
    ["grades", { type: "int", minimum: 1, maximum: 5 }, [undefined, undefined], [1, 5]],
    ["a rubric with other words", { rubric: { rude: 1, kind: 3, neutral: 2 } }, [undefined, undefined], [1, 3]],
    ["two other words for 0 and 1", { rubric: { kind: 1, rude: 0 } }, [1, 0], [0, 1]],
    ["a number without a scale", { type: "float" }, [undefined, undefined], [null, null]],
  ])("has the judge's yes and no, and the scale, for %s", verifies("labels.question"), (_, score, words, scale) => {
    const question = questionOf(score)
    expect([parseLabel("y", question), parseLabel("NO", question)]).toEqual(words)
    expect([parseLabel(true, question), parseLabel(false, question)]).toEqual(words)
    expect([question.low, question.high]).toEqual(scale)
    expect(question.prompt).toBe("user: Is it harmful? {{ sample.output_text }}")
  })

  it("takes the words of a rubric and numbers, and says what is possible", () => {
    const rude = questionOf({ rubric: { rude: 1, kind: 3 } })
    expect([parseLabel(" Kind ", rude), parseLabel("2", rude), parseLabel("perhaps", rude)]).toEqual([3, 2, undefined])
    expect(formatScale(rude)).toBe("1 (rude), 3 (kind)")
    expect([isOnScale(3, rude), isOnScale(3.01, rude), isOnScale(0, rude)]).toEqual([true, false, false])
    expect(formatScale(questionOf({ type: "int", minimum: 1 }))).toBe("a number of at least 1")
    expect(formatScale(questionOf({ type: "boolean" }))).toBe("a number from 0 to 1 (yes is 1, no is 0)")
  })

  it("has the scale from 0 to 1 for other scores in it, and none for amounts and stored jobs without a configuration", () => {
    expect(questionOf({}, "string-check")).toMatchObject({ prompt: null, low: 0, high: 1, yes: 1, no: 0 })
    expect(questionOf({}, "latency")).toMatchObject({ low: null, high: null, yes: null, is_higher_better: false })
    expect(labelQuestion(undefined, "judge.harm", SEEN)).toMatchObject({ low: null, high: null, rubric: [] })
    expect(questionOf({ type: "strange" })).toMatchObject({ low: null, high: null })
  })
})

import { assert, integer, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { JUDGE_CASES } from "../../testing/judge-cases.ts"
import { createJudgeScoreParser, type JudgeScoreDefinition, type ScoreParserDefinition } from "./judge-score-parser.ts"
import { jsonInText } from "./json-in-text.ts"

const JSON_PARSER = { type: "json" } as const
const RUBRIC = [
  { label: "good", value: 1 },
  { label: "Bad", value: 0 },
]

describe("a judge's score", () => {
  it.each(JUDGE_CASES)("has the reference value of $id", ({ input, expect: { value } }) => {
    expect(readReference(input.parser, input.text, input.pattern)).toBe(value ?? Number.NaN)
  })

  it.each([
    ['{"score": 4}', 4],
    ['```json\n{"score": 4}\n```', 4],
    ['Sure: {"reason": "has } and {", "score": 4}. Done {', 4],
    ['{broken {"score": 4}', 4],
    ['<think>{"score": 1}</think>\n{"score": 4}', 4],
    ['{"rank": 9} then {"score": "4"}', 4],
    ['{"score": 4.5}', Number.NaN],
    ['{"score": 6}', Number.NaN],
    ['{"score": null}', Number.NaN],
    ['{"score": "four"}', Number.NaN],
    ['{"score": [4]}', Number.NaN],
    ["4", Number.NaN],
    ["", Number.NaN],
  ])("is parsed from %j as %d", (answer, value) => {
    expect(createJudgeScoreParser("score", { type: "int", maximum: 5, parser: JSON_PARSER })(answer)).toBe(value)
  })

  it("is read at a JSON path", () => {
    const parse = createJudgeScoreParser("x", {
      type: "float",
      parser: { type: "json", json_path: "$.scores[0].value" },
    })
    expect(parse('{"scores": [{"value": 0.5}]}')).toBe(0.5)
  })

  it.each<[ScoreParserDefinition, string, number]>([
    [{ type: "regex", pattern: "SCORE: (\\d+)" }, "so SCORE: 3, SCORE: 4", 3],
    [{ type: "regex", pattern: "SCORE: (\\d+)", method: "match" }, "so SCORE: 3", Number.NaN],
    [{ type: "regex", pattern: "SCORE: (\\d+)", method: "match" }, "SCORE: 3!", 3],
    [{ type: "regex", pattern: "\\d+" }, "3 of 5", 3],
    [{ type: "regex", pattern: "A(\\d)?" }, "A", Number.NaN],
    [{ type: "regex", pattern: "(?P<n>-?\\d+)" }, "is -2", -2],
  ])("is found by %j in %j as %d", (parser, answer, value) => {
    expect(createJudgeScoreParser("s", { type: "int", parser })(answer)).toBe(value)
  })

  it.each<[Omit<JudgeScoreDefinition, "parser">, string, number]>([
    [{ type: "boolean" }, "true", 1],
    [{ type: "boolean" }, '"No"', 0],
    [{ type: "boolean" }, "2", Number.NaN],
    [{ type: "rubric", rubric: RUBRIC }, '" good"', 1],
    [{ type: "rubric", rubric: RUBRIC }, '"bad"', 0],
    [{ type: "rubric", rubric: { "3": 30 } }, "3", 30],
    [{ type: "rubric", rubric: RUBRIC }, '"fine"', Number.NaN],
    [{ type: "float", minimum: 0 }, "-0.1", Number.NaN],
    [{ type: "float", minimum: 0, out_of_range: "clamp" }, "-0.1", 0],
    [{ type: "float" }, "1e400", Number.NaN],
  ])("under %j of %s is %d", (definition, answer, value) => {
    expect(createJudgeScoreParser("s", { ...definition, parser: { type: "json", json_path: "$" } })(answer)).toBe(value)
  })

  it("refuses a definition that can't find a score", () => {
    const parser = { type: "regex", pattern: "(" } as const
    expect(() => createJudgeScoreParser("s", { type: "int", parser })).toThrow(
      "scores.s.parser.pattern: the pattern '('",
    )
    expect(() => createJudgeScoreParser("s", { type: "rubric", parser: JSON_PARSER })).toThrow("has no labels")
  })

  it("is found in linear time in any answer", () => {
    expect([...jsonInText("{".repeat(200_000))]).toEqual([])
    expect([...jsonInText('```{"a'.repeat(50_000))]).toEqual([])
    const parse = createJudgeScoreParser("s", { type: "int", parser: { type: "regex", pattern: "(a+)+b" } })
    expect(parse("a".repeat(20_000))).toBeNaN()
  })

  it("is found with any text around it", () => {
    const prose = string().filter((text) => !/[{}"`]|think>/.test(text))
    assert(
      property(prose, prose, integer(), (before, after, score) => {
        const parse = createJudgeScoreParser("s", { type: "int", parser: JSON_PARSER })
        expect(parse(`${before}{"s": ${score}}${after}`)).toBe(score)
      }),
    )
  })
})

function readReference(parser: string, text: string, pattern = ""): number {
  if (parser === "regex")
    return createJudgeScoreParser("score", { type: "int", parser: { type: "regex", pattern } })(text)
  if (parser === "json") return createJudgeScoreParser("score", { type: "float", parser: JSON_PARSER })(text)
  const range = { minimum: 1, maximum: 5, out_of_range: "clamp" } as const
  return createJudgeScoreParser("score", { type: "float", ...range, parser: JSON_PARSER })(text) / 5
}

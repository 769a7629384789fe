import { assert, integer, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { JUDGE_CASES } from "../../testing/judge-cases.ts"
import {
  createJudgeScoreParser,
  createJudgeScoreReader,
  type JudgeScoreDefinition,
  type ScoreParserDefinition,
} from "./judge-score-parser.ts"
import { jsonInText } from "../json/json-in-text.ts"

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

  const QUALITY = { type: "int", minimum: 1, maximum: 5, parser: JSON_PARSER } as const
  it.each<[string, string, string | null]>([
    ["in prose", 'It reads: {"quality": 5}\n\nThat is wrong. My verdict:\n{"quality": 1}', "contradictory"],
    ["in prose, the same twice", 'It is {"quality": 5}. So {"quality": "5"}', null],
    ["in fences", '```json\n{"quality": 5}\n```\nNo:\n```json\n{"quality": 1}\n```', "contradictory"],
    ["in lines", '{"quality": 5}\n{"quality": 1}', "contradictory"],
    ["in a list", '[{"quality": 5}, {"quality": 1}]', "contradictory"],
    ["in a list, once", '[{"quality": 5}]', null],
    ["under a key named twice", '{"quality": 5, "quality": 1}', "contradictory"],
    ["under a key named three times", '{"quality": 5, "quality": 1, "quality": 5}', "contradictory"],
    ["beside one out of range", '{"quality": 5} {"quality": 9}', "contradictory"],
    ["beside one that is not a number", '{"quality": 5} {"quality": "bad"}', "contradictory"],
    ["in a text of the object", '{"reason": "It says {\\"quality\\": 1}.", "quality": 5}', null],
    ["in another object of the object", '{"quoted": {"quality": 1}, "quality": 5}', null],
    ["in damaged JSON", 'It claims {"quality": 5}. {"quality": 1, "reason": "he said "no""}', "contradictory"],
    ["in damaged JSON with a remark", 'It claims {"quality": 5}. {"quality": 1 (bad), "x": 0}', "contradictory"],
    ["around a quoted object", '{"reason": "claims {"quality": 5} but no", "quality": 1}', "contradictory"],
    ["in prose with a remark after a dash", 'It claims {"quality": 5}. Quality: 1 - poor', "contradictory"],
    ["in prose out of the highest score", 'It claims {"quality": 5}. Quality: 1/5', "contradictory"],
    ["in a tag", '<quality>1</quality>\nIt claims {"quality": 5}', "contradictory"],
    ["in a tag, the same", '<quality> 5 </quality>\n{"quality": 5}', null],
    ["in prose after the scale", 'It claims {"quality": 5}. **Quality (1-5):** 1', "contradictory"],
    ["in prose after another word", 'It claims {"quality": 5}. Quality score: 1', "contradictory"],
    ["in prose as a sentence", 'It claims {"quality": 5}. The quality is a 1.', "contradictory"],
    ["in prose under no key", 'It claims {"quality": 5}. My rating: 1', "contradictory"],
    ["in prose before the object", 'I would rate this 2/5. {"quality": 5}', "contradictory"],
    [
      "in prose as what the answer deserves",
      'It claims {"quality": 5}. It deserves a **1** because it lies.',
      "contradictory",
    ],
    ["in prose without a verb for the key", 'It claims {"quality": 5}, but this one gets quality 1.', "contradictory"],
    ["in prose as another number", '{"quality": 5} It gets 3 facts right. I gave 2 reasons.', null],
    ["in prose as somebody else's rating", 'The author says he would rate the film 2/5. {"quality": 5}', null],
    ["in a table", 'It claims {"quality": 5}.\n| Quality | 1 |', "contradictory"],
    ["under a key in another case", '{"Quality": 5}\n{"quality": 1}', "contradictory"],
    ["beside a choice of scores", 'Quality: 1/2/3/4/5\nQuality: 1 to 5\n{"quality": 5}', null],
    ["after 40 objects", `${'{"x": 1} '.repeat(40)}{"quality": 5} {"quality": 1}`, "contradictory"],
    ["after many opened braces", `{"quality": 5} ${'{"a":'.repeat(5000)} {"quality": 1}`, "contradictory"],
    ["after a quoted closing tag", '{"quality": 1} because it says </think>{"quality": 5}', "contradictory"],
    ["after reasoning", '<think>\nMaybe {"quality": 2}?\n</think>\n{"quality": 5}', null],
    ["beside the form that was asked for", 'In the form {"quality": 1-5, "reason": "…"}: {"quality": 5}', null],
  ])("that is stated again %s is read only if all statements agree", (_, answer, reason) => {
    const read = createJudgeScoreReader("quality", QUALITY)({ text: answer })
    expect(read).toEqual(reason === null ? { value: 5, reason } : { value: null, reason })
  })

  it.each([
    ["a raw newline", '{"reason": "line one\nline two", "quality": 4}'],
    ["a raw tab", '{"reason": "one\ttwo", "quality": 4}'],
    ["a trailing comma", '{"quality": 4, "tags": ["a",],}'],
    ["an escape that JSON has not", '{"reason": "snake\\_case isn\\\'t \\u12", "quality": 4}'],
    ["Python's quotes", "{'reason': 'He said \"no\".', 'quality': 4}"],
    ["Python's words", '{"ok": True, "bad": False, "none": None, "nan": NaN, "quality": 4}'],
  ])("is read from JSON with %s", (_, answer) => {
    expect(createJudgeScoreReader("quality", QUALITY)({ text: answer })).toEqual({ value: 4, reason: null })
  })

  it.each([
    '{"quality": 4',
    '{"reason": "x", "quality": 4, "tags": ["a"',
    '{"quality": 4, "reason": "x',
    "{'quality': 4",
  ])("is not read from %s, because nothing that was cut is completed", (answer) => {
    expect(createJudgeScoreReader("quality", QUALITY)({ text: answer })).toMatchObject({ value: null })
  })

  it.each<[string, number | null]>([
    ['{"quality": 4}\nThe answer is', 4],
    ['```json\n{"quality": 4}\n```\nThe answer', 4],
    ['The answer claims {"quality": 4}, and I', null],
    ['{"quality": ', null],
  ])("of %j, which the token limit ended, counts only at its beginning", (text, value) => {
    const read = createJudgeScoreReader("quality", QUALITY)({ text, isCut: true })
    expect(read).toEqual({ value, reason: value === null ? "truncated" : null })
  })

  it.each<[string, number | null]>([
    ["SCORE: 4. The answer is", 4],
    ["It claims SCORE: 4, and I", null],
    ["SCORE: 1", null],
  ])("of %j, found by a pattern in an answer that was cut, counts only at its beginning", (text, value) => {
    const parser = { type: "regex", pattern: "SCORE: (\\d+)" } as const
    expect(createJudgeScoreReader("s", { type: "int", parser })({ text, isCut: true }).value).toBe(value)
  })

  it.each<[JudgeScoreDefinition["type"], string, number]>([
    ["int", "true", Number.NaN],
    ["float", "true", Number.NaN],
    ["float", "false", Number.NaN],
    ["int", '"true"', Number.NaN],
    ["int", "[4]", Number.NaN],
    ["boolean", "true", 1],
    ["boolean", "1", 1],
  ])("of the type %s is not converted from another type: %s is %d", (type, value, score) => {
    expect(createJudgeScoreParser("s", { type, parser: JSON_PARSER })(`{"s": ${value}}`)).toBe(score)
  })

  it("is read at a JSON path", () => {
    const parse = createJudgeScoreParser("x", {
      type: "float",
      parser: { type: "json", json_path: "$.scores[0].value" },
    })
    expect(parse('{"scores": [{"value": 0.5}]}')).toBe(0.5)
  })

  it.each<[ScoreParserDefinition, string, number]>([
    [{ type: "regex", pattern: "SCORE: (\\d+)" }, "so SCORE: 3, SCORE: 4", Number.NaN],
    [{ type: "regex", pattern: "SCORE: (\\d+)", method: "match" }, "so SCORE: 3", Number.NaN],
    [{ type: "regex", pattern: "SCORE: (\\d+)", method: "match" }, "SCORE: 3!", 3],
    [{ type: "regex", pattern: "SCORE: (\\d+)" }, "so SCORE: 3. SCORE: 3", 3],
    [{ type: "regex", pattern: "\\d+" }, "3 of 5", Number.NaN],
    [{ type: "regex", pattern: "\\d+" }, "<think>5</think>3", 3],
    [{ type: "regex", pattern: "A(\\d)?" }, "A", Number.NaN],
    [{ type: "regex", pattern: "(?P<n>-?\\d+)" }, "is -2", -2],
  ])("is found by %j in %j as %d", (parser, answer, value) => {
    expect(createJudgeScoreParser("s", { type: "int", parser })(answer)).toBe(value)
  })

  it.each<[pattern: string, answer: string, value: number]>([
    ["SCORE: ([1-5])", "SCORE: 10", Number.NaN],
    ["SCORE: ([1-5])", "SCORE: 4.5", Number.NaN],
    ["SCORE: ([0-9])", "SCORE: 0,8", Number.NaN],
    ["SCORE: ([0-9])", "SCORE: 1e-3", Number.NaN],
    ["([1-5])", "-4", Number.NaN],
    ["([1-5])", "SCORE: −4", Number.NaN],
    ["([1-5])", "SCORE:-4", Number.NaN],
    ["([1-5])", "SCORE - 4", 4],
    ["([1-5])", "SCORE-4", 4],
    ["([1-5])/5", "SCORE: 3.5/5", Number.NaN],
    ["([1-5])/5", "SCORE: 4/5.", 4],
    ["SCORE: ([1-5])", "SCORE: 4.", 4],
    ["SCORE: ([1-5])", "SCORE: 4, because", 4],
    ["SCORE: ([1-5])", "SCORE: 4e", 4],
    ["SCORE: ([1-5])", "SCORE: 4½", Number.NaN],
    ["SCORE: ([1-5])", "SCORE: 4٠", Number.NaN],
    ["SCORE: ([1-5])", "SCORE: 1'000", Number.NaN],
  ])("that %j finds in %j is %d, because a part of a number is another number", (pattern, answer, value) => {
    for (const type of ["int", "float"] as const) {
      expect(createJudgeScoreParser("s", { type, parser: { type: "regex", pattern } })(answer)).toBe(value)
    }
  })

  const GRADES = { type: "rubric", rubric: { C: 1, P: 0.5, I: 0 } } as const
  it.each<[pattern: string, answer: string, value: number]>([
    ["GRADE: ([CPI])", "GRADE: C", 1],
    ["GRADE: ([CPI])", "**GRADE: C**", 1],
    ["GRADE: ([CPI])", "GRADE: C.", 1],
    ["GRADE: ([CPI])", "GRADE: C - it is right", 1],
    ["GRADE: ([CPI])", "GRADE: CI", Number.NaN],
    ["GRADE: ([CPI])", "GRADE: Cannot be determined", Number.NaN],
    ["GRADE: ([CPI])", "GRADE: C+", Number.NaN],
    ["GRADE: ([CPI])", "GRADE: C-", Number.NaN],
    ["GRADE: ([CPI])", "GRADE: C's", Number.NaN],
    ["GRADE: ([CPI])\\w*", "GRADE: Correct", 1],
    ["(?i)GRADE\\s*:\\s*([CPI])", "GRADE: C. There is no reason to downgrade: insufficient grounds.", Number.NaN],
    ["等级([CPI])", "等级C级", 1],
    ["([CPI])", "Correct: I", Number.NaN],
    ["([CPI])", "The answer is C", 1],
  ])("that %j finds in %j is %d, because a part of a word is another word", (pattern, answer, value) => {
    expect(createJudgeScoreParser("s", { ...GRADES, parser: { type: "regex", pattern } })(answer)).toBe(value)
  })

  it.each([
    ["CORRECT", "INCORRECT", Number.NaN],
    ["CORRECT|INCORRECT", "INCORRECT", 0],
    ["CORRECT", "VERDICT: CORRECT", 1],
    ["CORRECT", "It is not-CORRECT", Number.NaN],
  ])("that %j finds in %j is %d", (pattern, answer, value) => {
    const rubric = { CORRECT: 1, INCORRECT: 0 }
    expect(createJudgeScoreParser("s", { type: "rubric", rubric, parser: { type: "regex", pattern } })(answer)).toBe(
      value,
    )
  })

  it.each<[answer: string, value: number]>([
    ["4/5", 4],
    ["**4** / 5", 4],
    ["Score: 4/5.", 4],
    ["4 out of 5 stars, because it is right", 4],
    ["5/5", 5],
    ["<score>4/5</score>", 4],
    ["4/5. On second thought: 4/5", 4],
    ["4/5. On second thought: 2/5", Number.NaN],
    ["4/5 claims are supported", Number.NaN],
    ["4 out of 5 claims are supported.", Number.NaN],
    ["4/10", Number.NaN],
    ["8/10", Number.NaN],
    ["4.5/5", Number.NaN],
    ["4/5.5", Number.NaN],
    ["4/55", Number.NaN],
    ["1/2/3/4/5", Number.NaN],
    ["/5", 5],
    ["The answer says 5/5. Score: 1", Number.NaN],
  ])("of %j on a scale to 5 is %d, because 5 after a score only names the highest one", (answer, value) => {
    for (const pattern of ["(-?\\d+)", "[1-5]"]) {
      const definition = { type: "int", minimum: 1, maximum: 5, parser: { type: "regex", pattern } } as const
      expect(createJudgeScoreParser("s", definition)(answer)).toBe(value)
    }
  })

  it.each(["SCORE: 3/10", "SCORE: **3** / 10", "SCORE: 3 out of 10", "SCORE: 3 of 10."])(
    "%j is no score of a scale to 5, because it is on another scale",
    (answer) => {
      const parser = { type: "regex", pattern: "SCORE: \\**([1-5])" } as const
      expect(createJudgeScoreParser("s", { type: "int", maximum: 5, parser })(answer)).toBeNaN()
      expect(createJudgeScoreParser("s", { type: "int", maximum: 10, parser })(answer)).toBe(3)
      expect(createJudgeScoreParser("s", { type: "int", parser })(answer)).toBe(3)
    },
  )

  it.each([
    ["outside of JSON as a line", 'It claims {"quality": 5}.\nQuality: 1', "contradictory"],
    ["outside of JSON in bold", 'It claims {"quality": 5}, and is wrong. **quality:** 1', "contradictory"],
    ["outside of JSON in bold with a mark after it", '{"quality": 5}\n**Quality**: 1 of 5', "contradictory"],
    ["outside of JSON after an equals sign", '{"quality": 5} — no: quality = 1', "contradictory"],
    ["outside of JSON, the same", 'Quality: 5\n{"quality": 5}', null],
    ["outside of JSON as the form that was asked for", 'quality: 1-5\n{"quality": 5}', null],
    ["outside of JSON as a remark", 'quality: it reads well\n{"quality": 5}', null],
    ["under another name", 'inequality: 1, low-quality: 2, quality_of_text: 3\n{"quality": 5}', null],
  ])("that is stated again %s is read only if both agree", (_, answer, reason) => {
    const read = createJudgeScoreReader("quality", QUALITY)({ text: answer })
    expect(read).toEqual(reason === null ? { value: 5, reason } : { value: null, reason })
  })

  const WINNER = { type: "rubric", rubric: { A: 1, B: 0, tie: 0.5 }, parser: JSON_PARSER } as const
  const USEFUL = { type: "boolean", parser: JSON_PARSER } as const
  it.each<[string, JudgeScoreDefinition, string, boolean]>([
    ["winner", WINNER, 'A says {"winner": "A"}, which is data. Answer B is better.', false],
    ["winner", WINNER, '{"winner": "A"} is an instruction. I would choose answer B.', false],
    ["winner", WINNER, 'It contains {"winner": "A"}, so I prefer **B**', false],
    ["winner", WINNER, 'It contains {"winner": "A"}.\nB wins because it is right.', false],
    ["winner", WINNER, 'It contains {"winner": "A"}. I rate this as tie.', false],
    ["winner", WINNER, '{"winner": "A"}\nI prefer A because B is wrong.', true],
    ["winner", WINNER, '{"winner": "A"}\nB is better structured, but it is better to be right.', true],
    ["useful", USEFUL, 'The context says {"useful": true}. It is not useful.', false],
    ["useful", USEFUL, 'The context says {"useful": true}, but isn\u2019t really useful', false],
    ["useful", USEFUL, '{"useful": true}\nIt is not only useful, it is all of the answer.', true],
  ])("under %s contradicts a sentence of the judge's own: %#", (name, definition, text, isRead) => {
    expect(createJudgeScoreReader(name, definition)({ text }).reason).toBe(isRead ? null : "contradictory")
  })

  it("is read without invisible characters", () => {
    const parser = { type: "regex", pattern: "SCORE: ([1-5])" } as const
    const read = createJudgeScoreReader("s", { type: "int", parser })
    expect(read({ text: "SCORE:\u200B 4\uFEFF" })).toEqual({ value: 4, reason: null })
    expect(read({ text: "It claims SCORE: 5. SCORE:\u200B 1" })).toEqual({ value: null, reason: "contradictory" })
    expect(createJudgeScoreReader("quality", QUALITY)({ text: '{"quality\u2060": "4\u200B"}' }).value).toBe(4)
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
    const greedy = createJudgeScoreParser("s", { type: "int", parser: { type: "regex", pattern: "(1)(?:.*b)?" } })
    expect(greedy("1".repeat(20_000))).toBeNaN()
    const read = createJudgeScoreReader("s", { type: "int", parser: JSON_PARSER })
    for (const piece of ['{"a":', '{"s":1,', "{'", '"s":1 ', "<think>", '[{"s":', "\\", "[".repeat(60)]) {
      expect(read({ text: piece.repeat(200_000 / piece.length) }).value).toBeNull()
    }
  })

  it("is found with any text around it", () => {
    const prose = string().filter((text) => !/[{}"`]|think>/.test(text))
    assert(
      property(prose, prose, integer(), (before, after, score) => {
        // Prose that names a score, such as `s:0`, would contradict it. Random texts do not contain a long name.
        const parse = createJudgeScoreParser("quality", { type: "int", parser: JSON_PARSER })
        expect(parse(`${before}{"quality": ${score}}${after}`)).toBe(score)
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

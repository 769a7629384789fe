import { describe, expect, it } from "vitest"
import { INSTRUCTION_CASES } from "../../testing/instruction-cases.ts"
import { countSentences } from "./english-sentences.ts"
import { splitWords } from "./english-words.ts"
import { scoreInstructions } from "./score-instructions.ts"

describe("an instruction of IFEval", () => {
  it.each(INSTRUCTION_CASES)("is decided as by the harness: %s %j for %j", (id, kwargs, answer, strict, loose) => {
    expect(scoreInstructions(answer, [id], [kwargs])).toEqual({ strict: [strict], loose: [loose] })
  })

  it("has cases for each of the 25", () => {
    expect(new Set(INSTRUCTION_CASES.map(([id]) => id)).size).toBe(25)
  })

  it.each<[string, unknown, string]>([
    ["keywords:existance", {}, "did you mean 'keywords:existence'"],
    ["toString", {}, "is not an instruction of IFEval"],
    ["length_constraints:number_words", { num_words: 0, relation: "at least" }, "'num_words'"],
    ["length_constraints:number_words", { num_words: 5, relation: "at most" }, "'less than' or 'at least'"],
    ["keywords:existence", { keywords: "one" }, "a list of 1 to 100 texts"],
    ["keywords:existence", { keywords: ["a("] }, "is not a pattern of RE2"],
    ["combination:repeat_prompt", null, "'prompt_to_repeat' of the instruction 'combination:repeat_prompt' is missing"],
  ])("is refused if it is %s with %j", (id, kwargs, message) => {
    expect(() => scoreInstructions("text", [id], [kwargs])).toThrow(message)
  })

  it("is refused without its own arguments", () => {
    expect(() => scoreInstructions("text", ["punctuation:no_comma"], [])).toThrow("1 and 0")
    expect(() => scoreInstructions("text", [], [])).toThrow("1 to 100 instructions")
  })

  it("is decided in linear time for long hostile answers", () => {
    const checks = INSTRUCTION_CASES.filter(([id], at) => INSTRUCTION_CASES.findIndex(([one]) => one === id) === at)
    for (const piece of ["\n", "[", "<<", '"\\', "***", "Mr. ", "' ", "{"]) {
      const [ids, kwargs] = [checks.map(([id]) => id), checks.map(([, one]) => one)]
      expect(scoreInstructions(`x${piece.repeat(30_000)}y`, ids, kwargs).strict).toHaveLength(ids.length)
    }
  })
})

describe("an English text", () => {
  it.each<[number, string]>([
    [0, " \n"],
    [1, "no end"],
    [2, "Mr. Smith came to the U.S. in 1999. He stayed."],
    [2, "He lives in the U.S. He stayed."],
    [2, "“Really?!” (Yes.) "],
    [1, "It cost 3.5 francs in St. Paul, said J. Smith"],
    [3, "It wouldn't. Not 3. apples! So"],
  ])("has %i sentences: %j", (count, text) => {
    expect(countSentences(text)).toBe(count)
  })

  it("has words as in the Penn Treebank", () => {
    expect(splitWords('I CAN\'T. YOU CANNOT (EVER) SAY "RE-DO"...')).toEqual([
      "I",
      "CA",
      "N'T",
      ".",
      "YOU",
      "CAN",
      "NOT",
      "(",
      "EVER",
      ")",
      "SAY",
      "``",
      "RE-DO",
      "''",
      "...",
    ])
  })
})

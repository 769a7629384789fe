import { describe, expect, it } from "vitest"
import { NUMBER_CHECKS, NUMBER_TEXTS, STRING_CHECKS } from "../../testing/check-cases.ts"
import { createNumberCheck } from "./create-number-check.ts"
import { createStringCheck } from "./create-string-check.ts"
import { lastNumber } from "./last-number.ts"

const numberIn = (...given: Parameters<typeof lastNumber>) => Number(lastNumber(...given) ?? Number.NaN)

describe("the last number in a text", () => {
  it.each(NUMBER_TEXTS)("equals the reference value of $id in both readings", ({ input, expect: { value } }) => {
    expect(numberIn(input.text, "compat")).toBe(value ?? Number.NaN)
    expect(numberIn(input.text, "exact")).toBe(value ?? Number.NaN)
  })

  it.each([
    ["about 1,234", 1234, 234],
    ["it is 1e5.", 100_000, 5],
    ["GPT-4", 4, -4],
    ["from 10-20", 20, -20],
    ["2024-05-01", 1, -1],
    ["5−3", 3, 3],
    ["a range of 1-1,000", 1000, 0],
    ["x=-5", -5, -5],
    ["10 -20", -20, -20],
    ["5--3", -3, -3],
    ["答案是-5", -5, -5],
    ["-1,234,567.25 €", -1_234_567.25, 567.25],
    ["2.5E-3", 0.0025, -3],
    ["6.02e+23", 6.02e23, 23],
    ["1234,567", 1234.567, 567],
    ["1,23", 1.23, 23],
    ["₹1,00,000", 100_000, 0],
    ["-12,34,567.5", -1_234_567.5, 567.5],
    ["1,234,56,789", 789, 789],
    ["123,45,678", 678, 678],
    ["[1,23,456]", 456, 456],
    ["[100,200]", 200, 200],
    ["1'234'567 CHF", 1_234_567, 567],
    ["1\u202f000\u202f000 euros", 1_000_000, 0],
    ["12\u00a0345,5", 12_345.5, 5],
    ["It costs 3,5 €.", 3.5, 5],
    ["-0,125", -0.125, 125],
    ["1.234,5", 1234.5, 5],
    ["1.234.567,89", 1_234_567.89, 89],
    ["1'234,50", 1234.5, 50],
    ["1,2345", 1.2345, 2345],
    ["1,5e3", 1500, 3],
    ["1,234e3", 1_234_000, 3],
    ["1e3,5", 5, 5],
    ["[3,5]", 5, 5],
    ["[[-3,5", 5, 5],
    ["[1, 3,5]", 5, 5],
    ["(3,5)", 3.5, 5],
    ["1.5,3.7", 3.7, 3.7],
    ["12.34,5", 5, 5],
    ["1,2,3", 3, 3],
    ["0,100,200", 200, 200],
    [",5", 5, 5],
    ["1 000", 0, 0],
    ["1,2,345", 345, 345],
    ["0.123,456", 456, 456],
    ["lists 5, 100", 100, 100],
    ["1.2.3", Number.NaN, Number.NaN],
    ["1.2e3.4", 3.4, 3.4],
    ["e5", 5, 5],
    ["−7", -7, 7],
    ["+8", 8, 8],
    ["𝟙𝟚 and ١٢٫", 12, 12],
    ["𝟙𝟚", 12, 12],
    ["none", Number.NaN, Number.NaN],
    ["...", Number.NaN, Number.NaN],
    ["", Number.NaN, Number.NaN],
  ])("of %j is %d, and %d in the compat reading", (text, exact, compat) => {
    expect(numberIn(text)).toBe(exact)
    expect(numberIn(text, "compat")).toBe(compat)
  })

  it("is found in linear time", () => {
    expect(numberIn("1".concat(",111".repeat(100_000), ".".repeat(200_000)))).toBe(Number.POSITIVE_INFINITY)
    expect(numberIn(".".repeat(500_000))).toBeNaN()
  })
})

describe("a number check", () => {
  it.each(NUMBER_CHECKS)("has the reference value of $id", ({ input, expect: { value } }) => {
    const { operation, left, right, epsilon } = input
    expect(createNumberCheck(operation, { epsilon })(left, right)).toBe(value ?? Number.NaN)
  })

  it.each([
    ["==", 0, 1, 0],
    ["equals", 0, 1, 0],
    ["!=", 1, 0, 1],
    ["<>", 1, 0, 1],
    ["not equals", 1, 0, 1],
    ["<", 1, 0, 0],
    ["less than", 1, 0, 0],
    ["<=", 1, 1, 0],
    ["lte", 1, 1, 0],
    ["less than or equal to", 1, 1, 0],
    [">", 0, 0, 1],
    ["gt", 0, 0, 1],
    [">=", 0, 1, 1],
    ["greater than or equals", 0, 1, 1],
  ])("%s of 1 to 2, 2 and 3 to 2 is %d, %d and %d", (operator, less, same, more) => {
    const check = createNumberCheck(operator)
    expect(["1", "2", "3"].map((left) => check(left, "2"))).toEqual([less, same, more])
  })

  it("is NaN if one side has no number", () => {
    expect(createNumberCheck("!=")("one", "1")).toBeNaN()
    expect(createNumberCheck("absolute difference", { epsilon: 1 })("1", "?")).toBeNaN()
  })

  it("of an absolute difference is true up to and including epsilon", () => {
    const check = createNumberCheck("absolute difference", { epsilon: 0.25 })
    expect(["3.25", "2.75", "3.5"].map((right) => check("3", right))).toEqual([1, 1, 0])
  })

  it("compares all digits of whole numbers and decimals", () => {
    const equals = createNumberCheck("==")
    expect(equals("1234567890123456789", "1234567890123456788")).toBe(0)
    expect(equals("1234567890123456789", "1234567890123456789.0")).toBe(1)
    expect(equals("0.1000000000000000000001", "0.1")).toBe(0)
    expect(equals("1e3", "1000")).toBe(1)
    expect(createNumberCheck("<")("-9007199254740993", "-9007199254740992")).toBe(1)
    expect(createNumberCheck(">")("1e400", "1e399")).toBe(1)
    const near = createNumberCheck("absolute difference", { epsilon: 0.1 })
    expect([near("1.1", "1.0"), near("1.1000000000000000001", "1"), near("-0.05", "0.05")]).toEqual([1, 0, 1])
  })

  it("reads numbers as its option says", () => {
    expect(createNumberCheck("==")("1,234", "1234")).toBe(1)
    expect(createNumberCheck("==", { numbers: "compat" })("1,234", "234")).toBe(1)
  })

  it("refuses an unknown operator and a missing epsilon", () => {
    expect(() => createNumberCheck("contains")).toThrow("'contains' is not an operator for numbers; use ==")
    expect(() => createNumberCheck("absolute difference")).toThrow(
      "epsilon: is undefined; give a number from 0 to 1000000000000000.",
    )
    for (const epsilon of [Number.NaN, -0.1, 1e308, Infinity]) {
      expect(() => createNumberCheck("absolute difference", { epsilon })).toThrow(`is ${epsilon}; give a number from 0`)
    }
  })
})

describe("a string check", () => {
  it.each(STRING_CHECKS)("has the reference value of $id", ({ input, expect: { value } }) => {
    expect(createStringCheck(input.operation)(input.left, input.right)).toBe(value)
  })

  it.each([
    ["==", "a", "a", "A"],
    ["!=", "a", "A", "a"],
    ["<>", "a", "b", "a"],
    ["not equals", "a", "", "a"],
    ["contains", "abc", "bc", "BC"],
    ["not contains", "abc", "ac", "ab"],
    ["startswith", "abc", "ab", "bc"],
    ["endswith", "abc", "bc", "ab"],
    ["matches", "abc 42", "\\d+$", "^\\d"],
  ])("%s is true for %j and %j, and false for %j", (operator, left, right, other) => {
    const check = createStringCheck(operator)
    expect([check(left, right), check(left, other)]).toEqual([1, 0])
  })

  it.each(["contains", "not contains", "startswith", "endswith", "matches"])(
    "%s has no value for an empty text, which is in every text",
    (operator) => {
      expect([createStringCheck(operator)("abc", ""), createStringCheck(operator)("", "")]).toEqual([NaN, NaN])
    },
  )

  it("refuses a bad operator and a bad pattern", () => {
    expect(() => createStringCheck("like")).toThrow("'like' is not an operator for texts; use equals")
    const matches = createStringCheck("matches")
    expect(() => matches("a", "(")).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringContaining("the pattern '(' can't") }),
    )
    expect(() => matches("a", "(?=a)")).toThrow("no look-around")
  })

  it("searches in linear time", () => {
    expect(createStringCheck("matches")(`${"a".repeat(50_000)}!`, "^(a+)+$")).toBe(0)
  })
})

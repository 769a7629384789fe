import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findJsonFault } from "./find-json-fault.ts"

describe("the position where a text stops being JSON", () => {
  it.each([
    ["", 0, "expected a value"],
    ["  ", 2, "expected a value"],
    ["tru", 0, "expected a value"],
    ["01", 1, "expected nothing more"],
    ["1 2", 2, "expected nothing more"],
    ["[1 2]", 3, "expected ',' or ']'"],
    ["[1,]", 3, "expected a value"],
    ["[1}", 2, "expected ',' or ']'"],
    ['{"a" 1}', 5, "expected ':'"],
    ['{"a":1,}', 7, "expected a key in double quotes"],
    ["{'a':1}", 1, "expected a key in double quotes"],
    ['{"a":NaN}', 5, "expected a value"],
    ['{"a":1', 6, "expected ',' or '}'"],
    ['"abc', 4, "expected '\"'"],
    ['"a\nb"', 2, "control character that is not escaped"],
    ['"a\\xb"', 2, "no such escape"],
    ['"\\u12g4"', 1, "no such escape"],
    ['["\\\\", "\\"", ]', 13, "expected a value"],
  ])("is found: %j", (text, at, expected) => {
    expect(findJsonFault(text)).toMatchObject({ at, expected })
  })

  it.each([
    ['{"a": NaN}', 'JSON has no NaN, although Python writes it; write null, or the text "NaN"'],
    ['{"a": -Infinity}', 'JSON has no -Infinity, although Python writes it; write null, or the text "-Infinity"'],
    ['{"a": None}', "JSON has no None; write null"],
    ['{"a": True}', "JSON has no True; write true"],
    ["{'a': 1}", "single quotes are Python; write the row with json.dumps, which uses double quotes"],
    ['{"a": tru}', undefined],
    ['{"a": 1},', "a comma follows the row; remove it, because lines are not items of an array"],
    ['{"a": 1}{"a": 2}', "a second value follows; write one value per line"],
    ['\ufeff{"a": 1}', "the row begins with a byte order mark, as after joining files; remove it"],
    ['data: {"a": 1}', "it is an event of a stream (text/event-stream); write only the JSON behind 'data:'"],
    ['\u001e{"a": 1}', "it begins with U+001E, as in JSON text sequences; remove this character"],
    ['\0\0{"a": 1}', "it begins with bytes that are 0, as after a crash or a full disk; copy the file again"],
    ["// a comment", "JSON has no comments; remove the line"],
    ['{"a": 1}, 2', undefined],
  ])("has a hint if programs often write it: %s", (text, hint) => {
    expect(findJsonFault(text).hint).toBe(hint)
  })

  it("is not inside text that could still become JSON, and not after text that could not", () => {
    const text = fc.tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(80),
      fc.constantFrom("", "x", ",", "]", "}", '"', "\\", "\n"),
    )
    fc.assert(
      fc.property(text, ([json, at, character]) => {
        const spoilt = json.slice(0, at) + character + json.slice(at + 1)
        fc.pre(!isJson(spoilt))
        const fault = findJsonFault(spoilt)
        // The engine names the position of most faults. If it points into a word, our position is the start of the
        // word.
        const position = positionOf(spoilt)
        fc.pre(position !== undefined && !/[a-z0-9.+-]/i.test(spoilt[position - 1] ?? " "))
        expect(fault.at).toBeLessThanOrEqual(position ?? 0)
        expect(spoilt.slice(fault.at, position)).toMatch(/^(\\.*)?$/s)
      }),
      { numRuns: 500 },
    )
  })

  it("is found in text of any depth and length", () => {
    expect(findJsonFault("[".repeat(1_000_000)).at).toBe(1_000_000)
    expect(findJsonFault(`"${"a".repeat(5_000_000)}`).at).toBe(5_000_001)
    expect(findJsonFault(`"${"\\n".repeat(1_000_000)}`).at).toBe(2_000_001)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the position in the engine's message, or undefined if it names none. */
function positionOf(text: string): number | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? []
    return position === undefined ? undefined : Number(position)
  }
}

import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import type { AssayError } from "@assay/schemas"
import { readEvaluationCells } from "./read-evaluation-cells.ts"

const read = (text: string) => readEvaluationCells(parseYaml(text, "eval.yaml"))
const BASE = "model: http://h/v1#m\ndata: rows.csv\nchecks: [latency]\n"

describe("the gates of a file in the short form", () => {
  const gated = (gate: string, checks = '[{equals: a}, {bleu: a}, latency, "cost < 1"]') =>
    `model: {url: "http://h/v1", model: m, prompt_price: 1, completion_price: 1}\ndata: rows.csv\nchecks: ${checks}\ngates:\n  - ${gate}\n`

  it("may be about these rows alone", verifies("gates.these-rows"), () => {
    const [{ content }] = read(gated("equals >= 1 on these rows"))
    expect(content.gates).toEqual(["answers.equals >= 1 on these rows"])
    const [{ content: long }] = read(gated('{metric: equals, op: ">=", value: 1, on_these_rows: true}'))
    expect(long.config).toMatchObject({ params: { gates: [{ metric: "equals", on_these_rows: true }] } })
  })

  it.each([
    [
      "equals >= 80",
      "5:5: 'gates.0': the limit 80 is outside of the scale of 'equals', which is from 0 to 1; write equals >= 0.8.",
    ],
    ["answers.equals.accuracy >= -1", "the scale of 'equals.accuracy', which is from 0 to 1."],
    ["bleu.sentence >= 101", "the scale of 'bleu.sentence', which is from 0 to 100."],
    ["latency <= -2", "the scale of 'latency', which is 0 or more."],
    ["cost >= 5", "the scale of 'cost', which is from 0 to 1; write cost >= 0.05."],
    ['{metric: equals, op: ">=", value: 90}', "write equals >= 0.9."],
    ["equals > 0.8", "write equals >= 0.8."],
    ["latency < 2000", "write latency <= 2000."],
    ["equals >= 80%", "write the number, such as equals >= 0.8."],
    ["equals is good", "is not a gate: write equals >= 0.8"],
  ])("that are '%s' are refused with what was probably meant", (gate, message) => {
    expect(() => read(gated(gate))).toThrow(message)
  })

  it("know the scale of a judge", () => {
    const judged = (scale: string, gate: string) =>
      read(gated(gate, `[{judge: {ask: Is it good?, model: "http://h/v1#j"${scale}}}]`))
    expect(() => judged(", scale: [1, 5]", "judge >= 0.8")).toThrow("the scale of 'judge', which is from 1 to 5")
    expect(judged(", scale: [1, 5]", "judge >= 4")).toHaveLength(1)
    expect(() => judged("", "judge.yes >= 80")).toThrow("write judge.yes >= 0.8.")
  })

  it("that name one of several checks with the same name ask for a `name`", () => {
    const checks = "[{contains: a}, {contains: b}, {equals: a}]"
    expect(() => read(gated("contains >= 0.8", checks))).toThrow(
      "'contains' is the name of 2 checks, at eval.yaml:3:11 and eval.yaml:3:26; give each a `name:` of its own and use it here.",
    )
    expect(read(gated("equals >= 0.8", checks))).toHaveLength(1)
  })
})

describe("a file with several faults", () => {
  const issuesOf = (text: string) => {
    try {
      read(text)
    } catch (error) {
      return (error as AssayError).issues.map(({ loc, msg }) => `${loc.join()}: ${msg}`.slice(0, 70))
    }
    return []
  }

  it("is refused with all of them, in the order of the file", () => {
    const text = `model: http://h/v1#m
dat: rows.csv
promt: x
checks:
  - contain: a
  - latency < 0s
  - equals: a
gates: [equals >= 80, latency > 1]
repeat: none
`
    expect(issuesOf(text)).toEqual([
      "eval.yaml:2:1: 'dat': there is no such key here; did you mean 'data'?",
      "eval.yaml:3:1: 'promt': there is no such key here; did you mean 'promp",
      "eval.yaml:5:5: 'checks.0.contain': there is no such key here; did you ",
      "eval.yaml:6:5: 'checks.1': 'latency < 0s' is met by no answer, because",
      "eval.yaml:8:9: 'gates.0': the limit 80 is outside of the scale of 'equ",
      "eval.yaml:8:23: 'gates.1': 'latency > 1' compares with '>', and a gate",
      "eval.yaml:9:1: 'repeat': expected a whole number from 1 to 1000, not \"",
    ])
  })

  it("names at most 20 of them, and their number", () => {
    const text = BASE.replace("[latency]", `[${"latency < 0s, ".repeat(30)}]`)
    expect(issuesOf(text)).toHaveLength(20)
    expect(() => read(text)).toThrow("The file has 30 faults, of which these are the first 20.")
  })

  it("that has one fault says only that", () => {
    expect(() => read(`${BASE}gates: [latency > 1]\n`)).toThrow(/^eval\.yaml:4:9: 'gates\.0': 'latency > 1' compares/)
  })
})

import type { LabelQuestion } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { parseLabelSheet } from "./label-sheet.ts"

const QUESTION: LabelQuestion = { prompt: null, low: 0, high: 1, rubric: [], yes: 1, no: 0, is_higher_better: true }
const parse = (text: string, metric?: string) =>
  parseLabelSheet(text, { name: "sheet.jsonl", job: "eval-1", metric, questionOf: async () => QUESTION })
const LINE = { task: "qa", row_index: 3, metric: "judge.harm", label: "yes" }

describe("a sheet of labels", () => {
  it("has the labels of its lines, also with a byte order mark, and counts those without one", async () => {
    const lines = [{ ...LINE, draw: "d1", probability: 0.5, note: "rude" }, { ...LINE, label: null }, LINE]
    const text = `\uFEFF${lines.map((line) => JSON.stringify(line)).join("\r\n")}\n\n`
    const label = { task: "qa", row_index: 3, repeat: 0, metric: "judge.harm", label: 1 }
    expect(await parse(text)).toEqual({
      labels: [{ ...label, draw: "d1", note: "rude" }, label],
      empty: 1,
      elsewhere: 0,
    })
  })

  it("of two jobs has the labels of one of them", async () => {
    const lines = ["eval-1", "eval-2", "eval-2"].map((job) => JSON.stringify({ ...LINE, job }))
    expect(await parse(lines.join("\n"))).toEqual({
      labels: [{ task: "qa", row_index: 3, repeat: 0, metric: "judge.harm", label: 1 }],
      empty: 0,
      elsewhere: 2,
    })
  })

  it.each([
    ["{", "the line is not JSON; keep one row on each line."],
    ["7", "the line is not a row; keep the lines of 'assay label next'."],
    ["[1]", "the line is not a row; keep the lines of 'assay label next'."],
    [JSON.stringify({ ...LINE, task: 5 }), 'it needs "task" and "row_index".'],
    [JSON.stringify({ ...LINE, row_index: "3" }), 'it needs "task" and "row_index".'],
    [JSON.stringify({ ...LINE, metric: undefined }), 'it has no "metric"; add --metric.'],
    [JSON.stringify({ ...LINE, repeat: "one" }), '"repeat" is not a whole number.'],
    [
      JSON.stringify({ ...LINE, label: "perhaps" }),
      '"label" is "perhaps"; write a number from 0 to 1 (yes is 1, no is 0), or "unsure".',
    ],
  ])("is refused with the line and the fault: %s", async (line, fault) => {
    const text = `${JSON.stringify(LINE)}\n${line}`
    await expect(parse(text)).rejects.toMatchObject({ code: "bad_document", message: `sheet.jsonl:2: ${fault}` })
  })
})

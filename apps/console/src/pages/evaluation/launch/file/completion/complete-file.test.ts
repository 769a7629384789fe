import { evaluationFileSchema } from "@assay/evaluation-files"
import { expect, it } from "vitest"
import { completeFile } from "./complete-file.ts"

const NAMES = {
  models: ["http://h:1/v1#small", "http://h:1/v1#large"],
  datasets: ["default/questions#rows.jsonl"],
  secrets: ["key"],
  workspaces: ["default"],
  columns: ["question", "answer"],
  checks: ["equals"],
}
/** Returns what is offered at `|`. */
const offeredAt = (marked: string) => {
  const offset = marked.indexOf("|")
  const text = marked.replace("|", "")
  const found = completeFile(text, offset, evaluationFileSchema(), NAMES)
  return {
    texts: found?.items.map(({ text: written, label }) => written ?? label) ?? [],
    written: text.slice(found?.from, offset),
  }
}

it.each([
  ["mo|", ["model: ", "models: ", "data: "], "mo"],
  ["model: |", ["http://h:1/v1#small"], ""],
  ["models:\n  - http|", ["http://h:1/v1#large"], "http"],
  ["models: [http://h:1/v1#small, |", ["http://h:1/v1#large"], ""],
  ["model: { url: http://h, ke|", ["key: ", "temperature: "], "ke"],
  ["model:\n  url: http://h\n  key: |", ["key"], ""],
  ["data: def|", ["default/questions#rows.jsonl"], "def"],
  ['prompt: "Say {{ item.qu|', ["question", "answer", "sample.output_text"], "qu"],
  ["checks:\n- eq|", ["equals: ", "judge: "], "eq"],
  ["checks:\n  - equals: a\n  - judge:\n      ask: b\n      mod|", ["model: ", "scale: "], "mod"],
  ["checks:\n  - judge: { model: |", ["http://h:1/v1#small"], ""],
  ["checks:\n  - equals: x\ngates:\n  - |", ["equals >= "], ""],
  ["limits:\n  co|", ["cost: "], "co"],
  ["cache: |", ["true", "false"], ""],
  ["target:\n  type: |", ["model", "rows"], ""],
])("at the caret of %j, names that fit are offered", (text, expected, written) => {
  const offered = offeredAt(text)
  expect(offered.texts).toEqual(expect.arrayContaining(expected))
  expect(offered.written).toBe(written)
})

it("keys that an object has already, comments and addresses of examples are not offered", () => {
  const { texts } = offeredAt("model: m\ndata: d\n|\nchecks:\n  - equals: a\n    na|")
  expect(texts).not.toContain("model: ")
  expect(texts).not.toContain("checks: ")
  expect(texts).toContain("prompt: ")
  expect(offeredAt("checks:\n  - equals: a\n    |").texts).not.toContain("equals: ")
  expect(offeredAt("# mo|").texts).toEqual([])
  expect(offeredAt("model:\n  url: |").texts).toEqual([])
})

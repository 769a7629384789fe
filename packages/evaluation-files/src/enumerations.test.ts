import { expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { readEvaluationCells } from "./read-evaluation-cells.ts"

const read = (network: string) =>
  readEvaluationCells(
    parseYaml(
      `target: { type: rows, rows: [{ a: 1 }] }\nconfig: { type: benchmark, harness: { command: [x], network: ${network} } }\n`,
      "eval.yaml",
    ),
  )

it("a value of a closed list is read in a file of the long form, and another one is refused", () => {
  expect(read("endpoint")).toHaveLength(1)
  expect(() => read("internet")).toThrow("eval.yaml:2")
})

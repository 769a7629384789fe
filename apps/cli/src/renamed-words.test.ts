import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { buildProgram } from "./program.ts"
import { renamedWords } from "./renamed-words.ts"

const program = buildProgram(() => async () => undefined)
const renamed = (line: string) => renamedWords(program, line.split(" "))

describe("old words of a command line", () => {
  it.each([
    ["eval check eval.yaml", "eval plan eval.yaml", "'eval check' is 'eval plan' now"],
    ["eval run eval.yaml --parallelism 4", "eval run eval.yaml --parallel 4", "'--parallelism' is '--parallel' now"],
    ["eval run eval.yaml --max-fail=0.1", "eval run eval.yaml --max-failed=0.1", "'--max-fail' is '--max-failed'"],
    ["eval run eval.yaml --overwrite", "eval run eval.yaml --force", "'--overwrite' is '--force' now"],
    ["eval download eval-1 --folder out", "eval download eval-1 --out out", "'--folder' is '--out' now"],
    ["dataset head ./a.csv --rows 3", "dataset head ./a.csv --limit 3", "'--rows' is '--limit' now"],
    ["label next eval-1 --metric m --count 3", "label next eval-1 --metric m --limit 3", "'--count' is '--limit' now"],
    ["guard check --file a.txt", "guard check --data a.txt", "'--file' is '--data' now"],
    ["guard calibrate --repeat 2", "guard calibrate --repeats 2", "'--repeat' is '--repeats' now"],
  ])("'%s' becomes '%s' with a warning", verifies("cli.renamed"), (given, current, warning) => {
    const { words, warnings } = renamed(given)
    expect(words.join(" ")).toBe(current)
    expect(warnings).toEqual([
      `warning: ${warning.replace(/ now$/, "")} now. The next version does not know the old name.`,
    ])
  })

  it.each([
    "eval compare eval-1 eval-2 --rows",
    "eval plan eval.yaml --parallel 4",
    "guard check -- --file",
    "push ./a b --file",
  ])("'%s' has none", (given) => {
    expect(renamed(given)).toEqual({ words: given.split(" "), warnings: [] })
  })
})

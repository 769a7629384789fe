import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { formatExamined } from "./format-examined.ts"

it.each([
  [[], "No metric of './results' asks a judge.\n"],
  [
    ["answers.polite.yes"],
    "answers.polite.yes: the judge gave no row of './results' a score, so nothing says how good it is.\nnext: assay eval explain ./results\n",
  ],
])("A job whose judges gave the scores %j no row says so", verifies("eval.doctor.judges"), (unscored, text) => {
  const jobs = [{ id: "", name: "./results", scores: [], unscored }]
  expect(formatExamined({ jobs, self_preference: [], comparisons: [], asked: null }, {})).toBe(text)
})

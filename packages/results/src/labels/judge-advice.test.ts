import { expect, it } from "vitest"
import { verifies } from "@assay/testkit"
import { resultOf, summaryOf } from "../testing/tiny-result.ts"
import { judgeAdvice } from "./judge-advice.ts"

const values = Array.from({ length: 600 }, (_, row) => (row % 3 === 0 ? 0 : 1))
const task = (metric: string, given: readonly number[]) => ({
  task: "qa",
  metrics: { [metric]: { helpful: summaryOf(given) } },
})
const config = {
  tasks: { qa: { type: "data", metrics: { judge: { type: "llm-judge" }, same: { type: "string-check" } } } },
}

it("Each score of a judge gets the number of labels that validate it", verifies("eval.labels.advice"), () => {
  const [advice, ...others] = judgeAdvice(config, resultOf(task("judge", values)), "./results")
  expect(others).toEqual([])
  expect(advice).toEqual({
    metric: "judge.helpful",
    // (1.96 × 0.5 / 0.05)², whatever the judge says.
    text: 'qa.judge.helpful: no row has a label of a person, so nobody knows how far this judge is from people. Labels of 385 rows say it to ±5 points. If the metric names them in "labels", each run is corrected. Draw rows to label: assay label next ./results --metric judge.helpful',
  })
  const [constant] = judgeAdvice(
    config,
    resultOf(
      task(
        "judge",
        values.map(() => 1),
      ),
    ),
    "./results",
  )
  expect(constant?.text).toContain("Labels of 385 rows say it to ±5 points. If")
  const [few] = judgeAdvice(config, resultOf(task("judge", values.slice(0, 60))), "./results")
  expect(few?.text).toContain("±5 points. This job has 60 rows, whose labels give a wider interval. If")
  expect(judgeAdvice(config, resultOf(task("same", values)), "./results")).toEqual([])
})

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
    text: 'qa.judge.helpful: the judge is not validated on this data; 385 labels give an interval of ±5 points ("labels" of the metric then corrects each run): assay label next ./results --metric judge.helpful',
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
  expect(constant?.text).toContain("385 labels give")
  const [few] = judgeAdvice(config, resultOf(task("judge", values.slice(0, 60))), "./results")
  expect(few?.text).toContain("labels of all rows do not give")
  expect(judgeAdvice(config, resultOf(task("same", values)), "./results")).toEqual([])
})

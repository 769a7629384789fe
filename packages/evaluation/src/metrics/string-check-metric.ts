import { createStringCheck } from "@assay/metrics"
import { checkOperands } from "./check-operands.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

/** `string-check`: whether `check: [left, operator, right]` holds between two texts. */
export const stringCheckMetric: DefineMetric = (setup) => {
  const { operator, left, right } = checkOperands(setup)
  const holds = createStringCheck(operator)
  return plainMetric(setup, {
    scores: ["string-check"],
    templates: [left, right],
    score: (input) => ({ scores: { "string-check": holds(left.render(input), right.render(input)) } }),
  })
}

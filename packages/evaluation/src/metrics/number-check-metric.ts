import { createNumberCheck } from "@assay/metrics"
import { checkOperands } from "./check-operands.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { scoreValue } from "./score-value.ts"

/** `number-check`: whether `check` holds between the last numbers of two texts. `numbers: "compat"` reads 1,234 as 234. */
export const numberCheckMetric: DefineMetric = (setup) => {
  const { operator, left, right, epsilon } = checkOperands(setup)
  const holds = createNumberCheck(operator, {
    ...(epsilon === undefined ? {} : { epsilon }),
    numbers: setup.params["numbers"] === "compat" ? "compat" : "exact",
  })
  return plainMetric(setup, {
    scores: ["number-check"],
    templates: [left, right],
    score: (input) => ({ scores: { "number-check": scoreValue(holds(left.render(input), right.render(input))) } }),
  })
}

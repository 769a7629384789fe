import { readNumber } from "@assay/json"
import { valueText } from "../rows/value-text.ts"
import { type MetricDefinition, type MetricSetup, plainMetric, scoreValue } from "./metric-definition.ts"
import { requiredTemplate } from "./metric-templates.ts"

/**
 * `given`: a score that the row contains, at the template `value`. True is 1 and false is 0. A row without a value, or with an empty text, has no
 * score; any other text is NaN.
 */
export function givenMetric(setup: MetricSetup): MetricDefinition {
  const value = requiredTemplate(setup, ["value"])
  return plainMetric(setup, {
    scores: ["given"],
    templates: [value],
    score(input) {
      const found = value.evaluate(input)
      if (found === null || found === undefined || found === "") return { scores: {} }
      if (typeof found === "boolean") return { scores: { given: found ? 1 : 0 } }
      return { scores: { given: scoreValue(readNumber(valueText(found).trim()) ?? Number.NaN) } }
    },
  })
}

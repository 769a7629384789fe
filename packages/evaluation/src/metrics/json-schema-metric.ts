import { compileRowSchema, type JsonSchema } from "@assay/contents"
import { jsonInText } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import { candidateText } from "./candidate-text.ts"
import type { DefineMetric, MetricSetup } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

/**
 * `json-schema`: whether the answer is JSON that satisfies `schema`. Nothing may stand around it, unless `extract: true` says that
 * the JSON in a fence or amid prose is meant.
 */
export const jsonSchemaMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const isValid = compileSchema(setup)
  const values = setup.params["extract"] === true ? jsonInText : wholeJson
  return plainMetric(setup, {
    scores: ["json-schema"],
    templates: [candidate.template],
    score(input) {
      const [value] = values(candidate.of(input))
      return { scores: { "json-schema": value !== undefined && isValid(value) ? 1 : 0 } }
    },
  })
}

function* wholeJson(text: string): Generator<unknown, void, undefined> {
  try {
    yield JSON.parse(text) as unknown
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}

function compileSchema({ params, name }: MetricSetup): (value: unknown) => boolean {
  const { schema } = params
  const path = [...name.split("."), "schema"]
  if (typeof schema !== "object" || schema === null)
    throw invalidRequest(path, "is missing; give a JSON Schema.", "missing", schema)
  try {
    const validate = compileRowSchema(schema as JsonSchema, {}, { allErrors: false, isChecked: false })
    return (value) => validate(value)
  } catch (error) {
    throw invalidRequest(path, error instanceof Error ? error.message : "can't be compiled", "value_error")
  }
}

import { parseJsonPath, readJsonPath } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import { type DefineMetric, plainMetric } from "../metric-definition.ts"
import { compileStructure } from "../../templates/row-template.ts"
import { isSameJson } from "./call-assertions.ts"

/** `state`: 1 if the value at `path` of the state of a conversation equals `equals`, else 0. */
export const stateMetric: DefineMetric = (setup) => {
  const { params, name } = setup
  const location = name.split(".")
  const { path: written, equals } = params
  if (typeof written !== "string") {
    throw invalidRequest([...location, "path"], 'is missing; write a path such as "$.orders.A1".', "missing", written)
  }
  if (equals === undefined) {
    throw invalidRequest([...location, "equals"], "is missing; write the expected value, or null.", "missing")
  }
  const path = parseJsonPath(written)
  const expected = compileStructure(equals, `${name}.equals`)
  return plainMetric(setup, {
    scores: ["state"],
    ranges: { state: [0, 1] },
    templates: expected.templates,
    score(input) {
      const found = readJsonPath(input.sample.state ?? input.item["state"], path) ?? null
      return { scores: { state: isSameJson(found, expected.render(input)) ? 1 : 0 } }
    },
  })
}

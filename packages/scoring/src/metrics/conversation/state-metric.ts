import { parseJsonPath, readJsonPath } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import type { ScoreInput } from "../bound-metric.ts"
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
      const found = readJsonPath(stateOf(input), path) ?? null
      return { scores: { state: isSameJson(found, expected.render(input)) ? 1 : 0 } }
    },
  })
}

/** Returns the state of a conversation that was held, else that of a row whose conversation is finished. */
function stateOf({ item, sample, turns }: ScoreInput): unknown {
  return turns === undefined ? (sample.state ?? item["state"]) : sample.state
}

import { AssayError } from "@assay/schemas"
import { numberText, fieldsOf } from "@assay/json"
import { defineMetrics, type SourceRow, runParams, taskMetrics, valueText } from "@assay/scoring"
import { askingShape, taskRequest } from "./asking-shape.ts"
import type { ShapeTask } from "./task-shape.ts"

const REFERENCES = ["ideal_response", "reference"]

/** Shapes a task of `similarity_metrics`. Rows have `prompt` or `input`, and `ideal_response` or `reference`. Without metrics, the task has all 5. */
export const shapeSimilarity: ShapeTask = (toShape) => {
  const { config, name, task, issues } = toShape
  const run = runParams(config.params, task.params)
  const references = rowReferences(name)
  const metrics = defineMetrics({
    name,
    issues,
    metrics: taskMetrics(config, task),
    run,
    references,
  })
  const request = taskRequest(toShape)
  return askingShape(toShape, { run, metrics, request, keys: ["prompt", "input"] })
}

/** Reads references from a row. Outputs collected by other programs have the row of the request under `input`. */
function rowReferences(name: string) {
  return {
    templates: [],
    fields: [{ anyOf: [...REFERENCES, "input"], by: `task '${name}'` }],
    of({ item }: Pick<SourceRow, "item">): readonly string[] {
      const input = fieldsOf(item["input"])
      const found = item["ideal_response"] ?? item["reference"] ?? input["ideal_response"] ?? input["reference"]
      if (typeof found === "string") return [found]
      if (Array.isArray(found) && found.length > 0) return found.map(valueText)
      const written = typeof found === "boolean" ? String(found) : numberText(found)
      if (written !== undefined) return [written]
      throw new AssayError(
        "rows_invalid",
        `The row has no '${REFERENCES.join("' or '")}'; it has '${Object.keys(item).slice(0, 12).join("', '")}'.`,
      )
    },
  }
}

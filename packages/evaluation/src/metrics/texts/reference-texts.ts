import { AssayError, invalidRequest } from "@assay/schemas"
import { createStepBudget } from "@assay/templates"
import type { FieldRead, RowTemplate } from "../../templates/row-template.ts"
import type { ScoreInput } from "../../plan/task-plan.ts"
import { textOf } from "../../rows/row-values.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { requiredTemplate, templateOf } from "../metric-templates.ts"

/** What an answer is compared with. */
export interface ReferenceTexts {
  readonly templates: readonly RowTemplate[]
  /** What they need of rows beside their templates. */
  readonly fields: readonly FieldRead[]
  /** At least one. @throws `template_error`, `rows_invalid` where a row has none */
  readonly of: (input: ScoreInput) => readonly string[]
}

const NAMES = ["references", "ground_truth", "reference"]

/**
 * The references under `references`, `ground_truth` or `reference`: one template or several. A template that gives a list stands
 * for all of its texts.
 * @throws `template_error`, `invalid_request`
 */
export function referenceTexts(setup: MetricSetup): ReferenceTexts {
  if (setup.references !== undefined && NAMES.every((name) => setup.params[name] === undefined)) return setup.references
  const templates = referenceTemplates(setup)
  const [only, ...others] = templates

  return {
    templates,
    fields: [],
    of(input) {
      // All of them are rendered without a pause, so they share what one may cost.
      const steps = createStepBudget()
      const first = only?.evaluate(input, steps)
      if (others.length === 0 && typeof first === "string") return [first]
      const texts = [first, ...others.map((template) => template.evaluate(input, steps))].flat().map(textOf)
      if (texts.length > 0) return texts
      throw new AssayError(
        "rows_invalid",
        `'${only?.name ?? setup.name}' gives an empty list; a row needs at least one reference.`,
      )
    },
  }
}

function referenceTemplates(setup: MetricSetup): readonly RowTemplate[] {
  const name = NAMES.find((one) => Array.isArray(setup.params[one]))
  if (name === undefined) return [requiredTemplate(setup, NAMES)]
  const list = setup.params[name] as readonly unknown[]
  const place = `${setup.name}.${name}`
  if (list.length === 0) throw invalidRequest(place.split("."), "is empty; give at least one template.", "too_short")
  return list.map((one, index) => templateOf(one, `${place}.${index}`))
}

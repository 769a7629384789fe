import { AssayError, invalidRequest } from "@assay/schemas"
import { createStepBudget } from "@assay/templates"
import type { FieldRead, RowTemplate } from "../../templates/row-template.ts"
import type { ScoreInput } from "../../plan/task-plan.ts"
import { textOf } from "../../rows/row-values.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { requiredTemplate, templateOf } from "../metric-templates.ts"

/** The texts that an answer is compared with. */
export interface ReferenceTexts {
  readonly templates: readonly RowTemplate[]
  /** The fields that they need besides those of their templates. */
  readonly fields: readonly FieldRead[]
  /** Returns at least one text. @throws `template_error`, `rows_invalid` if a row has none */
  readonly of: (input: ScoreInput) => readonly string[]
}

const NAMES = ["references", "ground_truth", "reference"]

/**
 * Reads the references under `references`, `ground_truth` or `reference`: one template or several. If a template gives a list, each of
 * its texts is a reference.
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
      // They are rendered without a pause, so all of them together have the step budget of one.
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

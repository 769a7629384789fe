import { createStepBudget, type StepBudget } from "@assay/templates"
import { compileRowTemplate, type RowTemplate, type RowValues } from "./row-template.ts"

/** A JSON value whose texts can be templates. Rendering replaces them by their values. */
export interface Structure {
  readonly templates: readonly RowTemplate[]
  /** Renders all templates without a pause, so they share one budget of steps. */
  readonly render: (values: RowValues, steps?: StepBudget) => unknown
}

/**
 * Compiles every text in `value` that is a template. A template that is a single expression keeps the type of its value.
 * @throws `template_error` with the place and the line
 */
export function compileStructure(value: unknown, name: string): Structure {
  if (typeof value === "string" && isTemplate(value)) {
    const template = compileRowTemplate(value, name)
    return { templates: [template], render: template.evaluate }
  }
  if (typeof value !== "object" || value === null) return { templates: [], render: () => value }
  if (Array.isArray(value)) {
    const parts = value.map((part, index) => compileStructure(part, `${name}.${index}`))
    return {
      templates: parts.flatMap(({ templates }) => templates),
      render: (values, steps = createStepBudget()) => parts.map((part) => part.render(values, steps)),
    }
  }
  const parts = Object.entries(value).map(([key, part]) => [key, compileStructure(part, `${name}.${key}`)] as const)
  return {
    templates: parts.flatMap(([, { templates }]) => templates),
    render: (values, steps = createStepBudget()) =>
      Object.fromEntries(parts.map(([key, part]) => [key, part.render(values, steps)])),
  }
}

function isTemplate(text: string): boolean {
  return /\{[{%#]/.test(text)
}

import { AssayError, parseJsonExactly } from "@assay/schemas"
import { compileTemplate, type StepBudget, type Template, type TemplateValues } from "@assay/templates"
import type { ScoreInput } from "../plan/task-plan.ts"

/** What a row template is rendered with; there is no sample before the model has been asked. */
export type RowValues = Pick<ScoreInput, "item"> & Partial<Pick<ScoreInput, "sample">>

/** A template over a row: `item`, the keys of `item` themselves, and `sample`. */
export interface RowTemplate {
  readonly name: string
  readonly template: Template
  readonly render: (values: RowValues, steps?: StepBudget) => string
  /** Keeps the type of a template that is one expression. */
  readonly evaluate: (values: RowValues, steps?: StepBudget) => unknown
}

/**
 * Compiles a template over rows.
 * @throws `template_error` with the line
 */
export function compileRowTemplate(source: string, name: string): RowTemplate {
  const template = compileTemplate(source, { name })
  // Most templates name `item` and `sample` alone: the keys of the row are not copied for those.
  const readsKeys = template.reads.some(({ path: [first] }) => first !== "item" && first !== "sample")
  const valuesOf: (values: RowValues) => TemplateValues = readsKeys
    ? withKeys
    : (values) => values as object as TemplateValues
  return {
    name,
    template,
    render: (values, steps) => template.render(valuesOf(values), steps),
    evaluate: (values, steps) => template.evaluate(valuesOf(values), steps),
  }
}

function withKeys({ item, sample }: RowValues): TemplateValues {
  return { ...item, item, sample }
}

/** Parses what a template gave as JSON, where it gave text. @throws `template_error` */
export function jsonOfTemplate(value: unknown, name: string): unknown {
  if (typeof value !== "string") return value
  try {
    return parseJsonExactly(value)
  } catch (error) {
    const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value
    const message = `The template '${name}' must give JSON, and gave '${shown}'; write '{{ … | tojson }}'.`
    throw new AssayError("template_error", message, { context: { template: name }, cause: error })
  }
}

/** A field of the rows that a task needs. */
export interface FieldRead {
  /** One of these keys must be in each row. */
  readonly anyOf: readonly string[]
  /** What reads it: the place of a template with the line, or what needs it by its nature. */
  readonly by: string
}

/** The keys of rows that templates read without asking for them first; each once. */
export function fieldsOfTemplates(templates: readonly RowTemplate[]): readonly FieldRead[] {
  const fields = new Map<string, FieldRead>()
  for (const { name, template } of templates) {
    for (const { path, line, isOptional } of template.reads) {
      const [first, second] = path
      const key = first === "item" ? second : first
      if (isOptional || key === undefined || first === "sample" || fields.has(key)) continue
      fields.set(key, { anyOf: [key], by: `template '${name}', line ${line}` })
    }
  }
  return [...fields.values()]
}

/** Whether one of them writes out the text of the answer. */
export function readsOutput(templates: readonly RowTemplate[]): boolean {
  return templates.some(({ template }) =>
    template.reads.some(
      ({ path: [first, second], isOptional }) => !isOptional && first === "sample" && second === "output_text",
    ),
  )
}

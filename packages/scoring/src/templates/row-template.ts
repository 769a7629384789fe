import { AssayError } from "@assay/schemas"
import { parseJsonExactly } from "@assay/json"
import {
  type StepBudget,
  type Template,
  type TemplateValues,
  compileTemplate,
  createStepBudget,
} from "@assay/templates"
import type { ScoreInput } from "../metrics/bound-metric.ts"

/** The values of a row template. Before a call of the model there is no sample. */
export type RowValues = Pick<ScoreInput, "item"> &
  Partial<Pick<ScoreInput, "sample" | "turns">> & {
    /** Names of a call of a tool. */
    readonly arguments?: unknown
    readonly state?: unknown
  }

/** A template over a row: `item`, the keys of `item` themselves, `sample`, and in a conversation `turns`. */
export interface RowTemplate {
  readonly name: string
  readonly template: Template
  readonly render: (values: RowValues, steps?: StepBudget) => string
  /** Returns the value of a template that is one expression, with its type; otherwise a text. */
  readonly evaluate: (values: RowValues, steps?: StepBudget) => unknown
}

/**
 * Compiles a template over rows.
 * @throws `template_error` with the line
 */
export function compileRowTemplate(source: string, name: string): RowTemplate {
  const template = compileTemplate(source, { name })
  // Most templates read only `item` and `sample`. The keys of the row are not copied for them.
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

/** Names that hide keys of the row, if they have values. */
const OVER_KEYS = ["turns", "arguments", "state"] as const

function withKeys(values: RowValues): TemplateValues {
  const { item, sample } = values
  const over = OVER_KEYS.filter((key) => values[key] !== undefined).map((key) => [key, values[key]])
  return { ...item, ...(Object.fromEntries(over) as object), item, sample }
}

/** Parses the text of a template as JSON. Returns any other value as it is. @throws `template_error` */
export function jsonOfTemplate(value: unknown, name: string): unknown {
  if (typeof value !== "string") return value
  try {
    return parseJsonExactly(value)
  } catch (error) {
    const shown = value.length > 80 ? `${value.slice(0, 80)}…` : value
    const message = `The template '${name}' must produce JSON, and produced '${shown}'; write '{{ … | tojson }}'.`
    throw new AssayError("template_error", message, { context: { template: name }, cause: error })
  }
}

/** A field that the rows of a task must have. */
export interface FieldRead {
  /** Each row must have one of these keys. */
  readonly anyOf: readonly string[]
  /** Where it is read: the location of a template with its line, or the task. */
  readonly by: string
  /** Whether it is the request to the target of a task without a template. */
  readonly isAsked?: boolean
}

/** Lists the keys of rows that templates read without a test for their existence, each once. */
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

/** Returns whether a template reads the text of the answer. */
export function readsOutput(templates: readonly RowTemplate[]): boolean {
  return templates.some(({ template }) =>
    template.reads.some(
      ({ path: [first, second], isOptional }) => !isOptional && first === "sample" && second === "output_text",
    ),
  )
}

/** A JSON value whose texts can be templates. Rendering replaces them by their values. */
export interface Structure {
  readonly templates: readonly RowTemplate[]
  /** Renders all templates without a pause, so they share one budget of steps. */
  readonly render: (values: RowValues, steps?: StepBudget) => unknown
}

/**
 * Compiles every text in `value` that is a template. A template that is a single expression keeps the type of its value.
 * @throws `template_error` with the location and the line
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

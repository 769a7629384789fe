import type { RowTemplate } from "./row-template.ts"

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

import { messageOf } from "@assay/schemas/errors"
import { compileTemplate, type Template } from "@assay/templates"

/** Returns whether a text has expressions or statements of a template. */
export function isTemplate(text: string): boolean {
  return /\{[{%#]/.test(text)
}

/** Changes a template of Nunjucks to one of Jinja: `dump` is `tojson`, and a line feed at the end is kept. */
export function toJinja(text: string): string {
  const filtered = text.replaceAll(/(\{\{[^{}]*\|\s*)dump(?:\(\))?(?=\s*(?:\||-?\}\}))/g, "$1tojson")
  // Jinja removes one line feed.
  return filtered.endsWith("\n") ? `${filtered}\n` : filtered
}

/** A template of a configuration, or why it can't be used. */
export type ReadTemplate = { readonly template: Template; readonly fault?: undefined } | { readonly fault: string }

/** Compiles a template of a configuration. */
export function readTemplate(text: string): ReadTemplate {
  try {
    return { template: compileTemplate(toJinja(text)) }
  } catch (error) {
    return { fault: `its template can't be read: ${messageOf(error)}` }
  }
}

/** Returns values for a template, with an empty text for each name that it reads and that is missing, as Nunjucks has. */
export function completeValues(
  { reads }: Template,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const missing = reads.flatMap(({ path: [name] }) =>
    name === undefined || name in values ? [] : [[name, ""] as const],
  )
  return missing.length === 0 ? values : { ...values, ...Object.fromEntries(missing) }
}

/** Renders a text with variables, as a text. @throws `template_error` */
export function renderText(text: string, values: Readonly<Record<string, unknown>>): string {
  if (!isTemplate(text)) return text
  const template = compileTemplate(toJinja(text))
  return template.render(completeValues(template, values))
}

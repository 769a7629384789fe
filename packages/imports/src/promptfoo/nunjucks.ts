import { AssayError, messageOf } from "@assay/schemas/errors"
import { compileTemplate, type Template } from "@assay/templates"

/** Returns whether a text has expressions or statements of a template. */
export function isTemplate(text: string): boolean {
  return /\{[{%#]/.test(text)
}

/** Changes a template of Nunjucks to one of Jinja: `dump` is `tojson`, and a line feed at the end is kept. */
function toJinja(text: string): string {
  const filtered = text.replaceAll(/(\{\{[^{}]*\|\s*)dump(?:\(\))?(?=\s*(?:\||-?\}\}))/g, "$1tojson")
  // Jinja removes one line feed.
  return filtered.endsWith("\n") ? `${filtered}\n` : filtered
}

/** A template of a configuration, or why it can't be used. */
export type ReadTemplate =
  | { readonly template: Template; readonly fault?: undefined }
  | { readonly template?: undefined; readonly fault: string }

/** Names that promptfoo defines itself. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  env: "it reads a variable of the environment; write its value",
  _conversation: "it reads the messages of other tests",
}

/** Compiles a template of a configuration. */
export function readTemplate(text: string): ReadTemplate {
  try {
    const template = compileTemplate(toJinja(text))
    const own = template.reads.flatMap(({ path: [name = ""] }) =>
      Object.hasOwn(OWN_NAMES, name) ? [OWN_NAMES[name]] : [],
    )
    return own[0] === undefined ? { template } : { fault: own[0] }
  } catch (error) {
    return { fault: `its template can't be read: ${messageOf(error)}` }
  }
}

/** Returns values for a template, with an empty text for each name that it reads and that is missing, as Nunjucks has. */
function completeValues(
  { reads }: Template,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const missing = reads.flatMap(({ path: [name] }) =>
    name === undefined || Object.hasOwn(values, name) ? [] : [[name, ""] as const],
  )
  return missing.length === 0 ? values : { ...values, ...Object.fromEntries(missing) }
}

/** Renders a text with variables, as a text. @throws `template_error`; `bad_document` for a template that can't be used */
export function renderText(text: string, values: Readonly<Record<string, unknown>>): string {
  if (!isTemplate(text)) return text
  const { template, fault } = readTemplate(text)
  if (fault !== undefined) throw new AssayError("bad_document", `${fault}.`)
  return template.render(completeValues(template, values))
}

/** Names that templates over rows use for other values. */
const TAKEN = ["item", "sample"]

/** Changes a template over variables to one over rows: a variable with the name of the row, or of the answer, is read from the row. */
export function overRows(text: string): string {
  const { template } = readTemplate(text)
  const read = new Set(template?.reads.map(({ path: [name = ""] }) => name))
  // The row itself is replaced last.
  const taken = TAKEN.toReversed().filter((name) => read.has(name))
  return `${taken.map((name) => `{% set ${name} = item.${name} %}`).join("")}${toJinja(text)}`
}

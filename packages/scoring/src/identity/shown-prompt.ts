import { fieldsOf, isObject } from "@assay/json"

/** Stands for the prompt of the target. */
const PROMPT = "\u0000"

/**
 * Returns a metric in whose templates a mark stands for the prompt of the target, which a judge of the short form is shown as lines such as
 * `user: {{ question }}`. So another prompt of the target does not make the metric another one.
 * @param template the template of the task
 */
export function withoutShownPrompt(metric: unknown, template: unknown): unknown {
  const lines = linesOf(template)
  const params = isObject(metric) ? metric["params"] : undefined
  if (lines.length === 0 || !isObject(metric) || !isObject(params)) return metric
  const messages = fieldsOf(params["template"])["messages"]
  if (!Array.isArray(messages)) return metric
  const shown = messages.map((message: unknown) => {
    const content = isObject(message) ? message["content"] : undefined
    return typeof content === "string" ? { ...fieldsOf(message), content: withMark(content, lines) } : message
  })
  return { ...metric, params: { ...params, template: { ...fieldsOf(params["template"]), messages: shown } } }
}

/** Returns the messages of a template as lines, the longest first: one can contain another. */
function linesOf(template: unknown): readonly string[] {
  const { prompt, messages } = fieldsOf(template)
  const all = typeof prompt === "string" ? [{ role: "user", content: prompt }] : Array.isArray(messages) ? messages : []
  return all
    .map(fieldsOf)
    .flatMap(({ role, content }) => (typeof content === "string" ? [`${String(role)}: ${content}`] : []))
    .toSorted((a, b) => b.length - a.length)
}

function withMark(content: string, lines: readonly string[]): string {
  const marked = lines.reduce((text, line) => text.replaceAll(line, PROMPT), content)
  return marked.replaceAll(/(?:\0\n?)+/g, `${PROMPT}\n`)
}

import { isolateQuoted, printableText } from "@assay/schemas"

/** Text that is HTML already. Only the tag below makes it. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | null | undefined | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/**
 * Builds HTML and escapes every value, in text and in quoted attributes. Nested HTML is kept, lists are joined, null and
 * undefined become nothing. Control characters are shown as `⟨U+202E⟩`, so that a quoted answer can't hide or reorder anything.
 * Right-to-left text in quotes is isolated.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: texts.reduce((all, text, index) => all + render(values[index - 1]) + text) }
}

/** Marks names between backticks as code. */
export function withCode(text: string): readonly (Html | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
}

function render(part: Part): string {
  if (part === null || part === undefined) return ""
  if (typeof part === "string" || typeof part === "number") return escape(String(part))
  return "html" in part ? part.html : part.map(render).join("")
}

function escape(text: string): string {
  return isolateQuoted(printableText(text.replaceAll("\r\n", "\n"))).replace(
    /[&<>"']/g,
    (sign) => ENTITIES[sign] ?? sign,
  )
}

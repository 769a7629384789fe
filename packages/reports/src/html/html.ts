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
 * HTML in which every value is escaped, in text and in quoted attributes; nested HTML stays, lists are joined, null is
 * nothing. Control characters become visible, so that nothing hides in a quoted answer.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: texts.reduce((all, text, place) => all + render(values[place - 1]) + text) }
}

function render(part: Part): string {
  if (part === null || part === undefined) return ""
  if (typeof part === "string" || typeof part === "number") return escape(String(part))
  return "html" in part ? part.html : part.map(render).join("")
}

function escape(text: string): string {
  return text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
    .replace(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD")
}

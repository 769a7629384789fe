import { html, type Html } from "./html.ts"

/** A text in which names between backticks are code. */
export function withCode(text: string): readonly (Html | string)[] {
  return text.split("`").map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))
}

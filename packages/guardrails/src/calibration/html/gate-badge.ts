import { html, type Html } from "./html.ts"

/** The verdict of a gate, in its colour. */
export function gateBadge(verdict: string): Html {
  return html`<span class="badge ${verdict}">${verdict}</span>`
}

import type { JudgedExample } from "../judge-tally.ts"
import { html, type Html } from "./html.ts"

export interface ExampleListOptions {
  readonly summary: string
  /** How many there are in all, of which some are kept. */
  readonly total: number
}

/** Prompts with what the judge answered, folded away. */
export function exampleList(examples: readonly JudgedExample[], options: ExampleListOptions): Html | null {
  if (examples.length === 0) return null
  const { summary, total } = options
  const kept = total > examples.length ? ` (${examples.length} of ${total} are kept)` : ""
  return html`<details>
    <summary>${summary}${kept}</summary>
    ${examples.map(
      (one) =>
        html`<div class="example">
          <p dir="auto">${one.prompt}</p>
          ${one.response === undefined ? null : html`<p dir="auto" class="soft">${one.response}</p>`}
          <div class="tags">
            ${["row " + one.row, one.id, one.category, one.language, one.reason].filter((tag) => tag !== undefined).join(" · ")}
          </div>
          <pre dir="auto">${one.raw ?? "(no answer was kept)"}</pre>
        </div>`,
    )}
  </details>`
}

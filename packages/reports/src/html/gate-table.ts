import { html, type Html } from "./html.ts"

export interface GateTable {
  /** Sentences about how they are decided. */
  readonly notes: readonly string[]
  readonly headings: readonly string[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly (Html | string)[] }[]
}

/** Renders gates under the rule that decides them. */
export function gateTable({ notes, headings, rows }: GateTable): Html {
  return html`<h2>Gates</h2>
    <p class="soft">${notes.join(" ")}</p>
    <div class="card">
      <table>
        <thead>
          <tr>
            ${headings.map((heading) => html`<th>${heading}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, cells }) =>
              html`<tr>
                <th>${name}</th>
                ${cells.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/** Renders a verdict or a status in the colour of `tone`, by default its own. */
export function verdictBadge(text: string, tone = text): Html {
  return html`<span class="badge ${tone}">${text}</span>`
}

import { cutText, formatScore, html, type Html } from "@assay/reports"
import type { EvaluationRow } from "@assay/schemas"

export interface RowListOptions {
  readonly title: string
  readonly note: string
}

const MAX_TEXT = 1200
const MAX_FIELD_TEXT = 600
const MAX_FIELDS = 12
const MAX_UNFOLDED = 3

/** Renders rows with their question, answer and scores. The first ones are unfolded. */
export function rowList(rows: readonly EvaluationRow[], { title, note }: RowListOptions): Html | null {
  if (rows.length === 0) return null
  return html`<h2>${title}</h2>
    <p class="soft">${note}</p>
    <div class="card rows">${rows.map((row, index) => oneRow(row, index < MAX_UNFOLDED))}</div>`
}

function oneRow(row: EvaluationRow, isOpen: boolean): Html {
  const { task, row_index, repeat, sample, error, unreadable } = row
  const opened: Html = { html: isOpen ? " open" : "" }
  return html`<details${opened}>
    <summary>
      ${task === "default" ? "" : `${task} · `}row ${row_index}${repeat > 0 ? ` · repeat ${repeat}` : ""}
      <span class="chips">${error === null ? scoreChips(row) : html`<span class="chip bad">${error.code}</span>`}</span>
    </summary>
    <dl>
      ${fieldsOf(row).map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd dir="auto">${value}</dd>`,
      )}
    </dl>
    ${
      error === null
        ? html`<pre dir="auto">
${sample?.output_text == null ? "(no text was answered)" : cutText(sample.output_text, MAX_TEXT)}</pre>`
        : html`<pre class="bad" dir="auto">${cutText(error.message, MAX_TEXT)}</pre>`
    }
    ${Object.entries(unreadable ?? {}).map(
      ([metric, { reason, raw }]) =>
        html`<p class="tags">${metric} could not be read: ${reason}</p>
          <pre dir="auto">${cutText(raw, MAX_TEXT)}</pre>`,
    )}
  </details>`
}

function scoreChips({ scores }: EvaluationRow): readonly Html[] {
  return Object.entries(scores).flatMap(([metric, found]) =>
    Object.entries(found).map(([score, value]) => {
      const name = metric === score ? metric : `${metric} · ${score}`
      return html`<span class="chip">${name} <b>${value === "NaN" ? "unreadable" : formatScore(value)}</b></span>`
    }),
  )
}

/** Returns the fields of an item except an answer that it already contains. */
function fieldsOf({ item, sample }: EvaluationRow): readonly (readonly [string, string])[] {
  return Object.entries(item)
    .filter(([, value]) => value !== sample?.output_text)
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => [name, cutText(typeof value === "string" ? value : JSON.stringify(value), MAX_FIELD_TEXT)])
}

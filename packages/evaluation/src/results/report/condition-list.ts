import type { Condition } from "@assay/schemas"
import { html, withCode, type Html } from "@assay/guardrails"

/** What went wrong, what shows it, what helps; nothing where all went well. */
export function conditionList(conditions: readonly Condition[]): Html | null {
  return conditions.length === 0
    ? null
    : html`<h2 id="conditions">What went wrong, and what helps</h2>
        ${conditions.map(card)}`
}

function card({ code, title, message, evidence, remedy, count, first_seen, last_seen }: Condition): Html {
  const seen =
    count === 1 ? `once, at ${first_seen}` : `${count.toLocaleString("en")} times, ${first_seen} to ${last_seen}`
  return html`<div class="card condition FAIL">
    <header>
      <h3>${title}</h3>
      <code>${code}</code><span class="soft">${seen}</span>
    </header>
    <p dir="auto">${message}</p>
    ${
      evidence.length === 0
        ? null
        : html`<ul class="evidence">
            ${evidence.map((line) => html`<li dir="auto">${line}</li>`)}
          </ul>`
    }
    <p class="remedy"><b>Remedy</b> ${withCode(remedy)}</p>
  </div>`
}

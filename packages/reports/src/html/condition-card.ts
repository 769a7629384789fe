import { html, withCode, type Html } from "./html.ts"

export interface ConditionCard {
  /** The class that decides the colour. */
  readonly tone: "FAIL" | "INCONCLUSIVE"
  readonly title: string
  /** Stands beside the title: the code of the condition, and whom or when it concerns. */
  readonly marks: Html
  readonly message: Html
  readonly evidence: readonly string[]
  /** Names between backticks are shown as code. */
  readonly remedy: string
}

/** Renders what went wrong, the evidence and the remedy. */
export function conditionCard({ tone, title, marks, message, evidence, remedy }: ConditionCard): Html {
  return html`<div class="card condition ${tone}">
    <header>
      <h3>${title}</h3>
      ${marks}
    </header>
    ${message}
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

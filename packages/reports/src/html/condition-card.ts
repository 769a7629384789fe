import type { CalibrationCondition } from "../calibration-report.ts"
import { html, type Html } from "./html.ts"
import { withCode } from "./with-code.ts"

const GRAVE = new Set(["judge_overblocks", "judge_underblocks"])

/** What is wrong with a judge, what shows it, what to do. */
export function conditionCard(condition: CalibrationCondition): Html {
  const { code, judge, title, message, evidence, remedy } = condition
  return html`<div class="card condition ${GRAVE.has(code) ? "FAIL" : "INCONCLUSIVE"}">
    <header>
      <h3>${title}</h3>
      <span class="soft">${judge}</span><code>${code}</code>
    </header>
    <p>${message}</p>
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

import { worstVerdict } from "@assay/metrics"
import { type Html, formatInteger, html, verdictBadge } from "@assay/reports"
import { jobVerdict, type JobVerdict } from "@assay/schemas"
import type { TokenSums } from "../progress/token-sums.ts"
import type { ReportInput } from "./format-report.ts"

const TONES = { COMPLETED: "PLAIN", FAILED: "FAIL", CANCELLED: "INCONCLUSIVE" } as const
const ANSWERS = { PASS: "All gates pass", FAIL: "A gate fails", INCONCLUSIVE: "Not decided yet" } as const

/** Renders what was evaluated and how it ended. */
export function opening({ job, status, message, gates, conditions, progress, result }: ReportInput): Html {
  const verdict = jobVerdict({ status, gates, conditions, failed: progress?.failed })
  // A condition puts the scores in doubt, so the report is not green while one is open.
  const isOpen = conditions.length > 0
  const tone = isOpen && verdict === "PASS" ? "INCONCLUSIVE" : (verdict ?? TONES[status])
  const answer = {
    COMPLETED: answerOf(worstVerdict(gates.map((gate) => gate.verdict)), isOpen),
    FAILED: "Evaluation failed",
    CANCELLED: "Evaluation was cancelled",
  }[status]
  return html`<h1>${job.config.name ?? "Evaluation"}</h1>
    <p class="soft">
      ${[nameOfTarget(job), job.description, timeOf(result?.created_at ?? job.finished_at)].filter(Boolean).join(" · ")}
    </p>
    <div class="card answer ${tone}">
      <div>
        <strong>${answer}</strong>
        <p>${message}</p>
      </div>
      ${verdictBadge(verdict ?? status, tone)}
    </div>
    ${progress === undefined ? null : facts(progress, conditions.length)}`
}

function answerOf(ofGates: JobVerdict | null, isOpen: boolean): string {
  if (ofGates === null) return isOpen ? "Evaluation completed, look at its conditions" : "Evaluation completed"
  return ofGates === "PASS" && isOpen ? "All gates pass, look at the conditions" : ANSWERS[ofGates]
}

function facts({ processed, total, failed, tokens }: NonNullable<ReportInput["progress"]>, conditions: number): Html {
  const all: readonly (readonly [value: string, name: string, tone?: string])[] = [
    [
      formatInteger(processed),
      total === null || total === processed ? "rows answered" : `of ${formatInteger(total)} rows answered`,
    ],
    [formatInteger(failed), failed === 1 ? "row failed" : "rows failed", failed > 0 ? "bad" : ""],
    [formatInteger(conditions), conditions === 1 ? "condition" : "conditions", conditions > 0 ? "bad" : ""],
    ...tokenFacts(tokens),
  ]
  return html`<div class="facts">
    ${all.map(
      ([value, name, tone = ""]) =>
        html`<div class="card">
          <b class="${tone}">${value}</b>
          ${name.startsWith("condition") && tone !== "" ? html`<a class="soft" href="#conditions">${name}</a>` : html`<span class="soft">${name}</span>`}
        </div>`,
    )}
  </div>`
}

function tokenFacts({ prompt, completion, unsplit, uncounted }: TokenSums): readonly (readonly [string, string])[] {
  const some = uncounted > 0 ? ", of the answers that say it" : ""
  if (prompt + completion > 0 && unsplit === 0) {
    return [
      [
        `${formatInteger(prompt)} + ${formatInteger(completion)}`,
        `tokens of prompts and answers, without judges${some}`,
      ],
    ]
  }
  const all = prompt + completion + unsplit
  return all === 0 ? [] : [[formatInteger(all), `tokens without judges${some}`]]
}

function nameOfTarget({ target }: ReportInput["job"]): string {
  const { name, model, cached_outputs: outputs, dataset, type } = target
  const source = model?.api_endpoint.model_id ?? outputs?.files_url ?? dataset?.files_url
  return [name, source].filter((part) => part !== undefined && part !== "").join(", ") || type
}

/** `2026-11-20 12:00 UTC` */
function timeOf(timestamp: string | null | undefined): string | null {
  return timestamp ? `${timestamp.slice(0, 16).replace("T", " ")} UTC` : null
}

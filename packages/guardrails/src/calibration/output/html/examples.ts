import { html, type Html } from "@assay/reports"
import type { JudgedExample } from "../../counting/judge-tally.ts"
import type { JudgeReport } from "../../report/calibration-report.ts"
import { formatCases } from "../../report/format-rate.ts"

interface ExampleListOptions {
  readonly summary: string
  /** The number of all examples, of which only some are kept. */
  readonly total: number
}

/** Renders the prompts that a judge got wrong, or could not judge. Returns null if there are none. */
export function examples(judge: JudgeReport): Html | null {
  const lists = [
    exampleList(judge.blocked_safe, {
      summary: `${formatCases(judge.false_block.count, "safe prompt")} blocked`,
      total: judge.false_block.count,
    }),
    exampleList(judge.missed_unsafe, {
      summary: `${formatCases(judge.miss.count, "unsafe prompt")} missed`,
      total: judge.miss.count,
    }),
    exampleList(judge.unreadable_examples, {
      summary: `${formatCases(judge.unreadable.count, "answer")} unreadable`,
      total: judge.unreadable.count,
    }),
    exampleList(judge.error_examples, {
      summary: `${formatCases(judge.errors.count, "request")} failed`,
      total: judge.errors.count,
    }),
  ].filter((list) => list !== null)
  return lists.length === 0
    ? null
    : html`<h2>Where ${judge.name} was wrong</h2>
        <div class="card">${lists}</div>`
}

/** Renders prompts with the answers of the judge, folded. */
function exampleList(examples: readonly JudgedExample[], options: ExampleListOptions): Html | null {
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

import { html, type Html } from "@assay/guardrails"
import type { GateOutcome } from "../check-gates.ts"
import { formatScore } from "../format-score.ts"
import type { NamedScore } from "../list-scores.ts"
import { countBar } from "./count-bar.ts"
import { intervalPlot } from "./interval-plot.ts"

/** Every score with its interval and what its rows came to, a table for each task. */
export function scoreTables(scores: readonly NamedScore[], gates: readonly GateOutcome[]): Html {
  const tasks = [...Map.groupBy(scores, ({ task }) => task)]
  return html`<h2>Scores</h2>
    ${tasks.length === 0 ? html`<p class="soft">Nothing was scored.</p>` : null}
    ${tasks.map(
      ([task, own]) =>
        html`<div class="card">
          ${tasks.length > 1 || task !== "default" ? html`<h3>${task}</h3>` : null}
          <table class="scores">
            <thead>
              <tr>
                <th>Score</th>
                <th class="number">Value</th>
                <th>95 % interval</th>
                <th>Rows</th>
              </tr>
            </thead>
            <tbody>
              ${own.map((one) => scoreLine(one, gates))}
            </tbody>
          </table>
        </div>`,
    )}
    ${scores.some(({ found }) => found.stats !== undefined) ? legend() : null}`
}

function scoreLine(one: NamedScore, gates: readonly GateOutcome[]): Html {
  const { metric, score, name, found } = one
  const { value, stats } = found
  const limit = gates.find((gate) => gate.name === name)
  return html`<tr>
    <th>${metric}${metric === score ? null : html`<small>${score}</small>`}</th>
    <td class="number">
      <b>${formatScore(value)}</b>
      ${stats !== undefined && !stats.complete ? html`<small class="partial">partial</small>` : null}
    </td>
    <td class="plot">
      ${stats === undefined ? html`<span class="soft">over all rows at once</span>` : intervalPlot(stats, limit)}
    </td>
    <td>${stats === undefined ? null : countBar(stats)}</td>
  </tr>`
}

function legend(): Html {
  return html`<p class="legend">
    <span class="scored"><i></i>scored</span
    ><span class="unreadable"><i></i>unreadable: the judge's answer has no score</span
    ><span class="errored"><i></i>errored</span><span class="skipped"><i></i>skipped: never got to</span>
  </p>`
}

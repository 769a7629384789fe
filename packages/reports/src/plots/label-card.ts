import type { LabelReport } from "@assay/schemas"
import { estimatePlot } from "./estimate-plot.ts"
import { formatInteger, formatScore } from "../text/format-number.ts"
import { CORRECTED, labelEstimates, labelSentences, type LabelFindings } from "../text/label-report.ts"
import { formatPage } from "../html/format-page.ts"
import { html, type Html } from "../html/html.ts"

/** Renders a judge, people, and the judge corrected by people: a plot, a table and sentences. A page with cards needs `LABEL_STYLE`. */
export function labelCard(name: string, findings: LabelFindings): Html {
  const estimates = labelEstimates(findings)
  return html`<div class="card">
    <h3>${name}</h3>
    ${estimatePlot(estimates, CORRECTED)}
    <table>
      <thead>
        <tr>
          <th>Mean of</th>
          <th>Value</th>
          <th>95 % interval</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        ${estimates.map(
          ({ name: of, mean, interval, from }) =>
            html`<tr>
              <th>${of}</th>
              <td>${formatScore(mean)}</td>
              <td>
                ${interval === null ? "no interval" : `${formatScore(interval.low)} to ${formatScore(interval.high)}`}
              </td>
              <td>${from}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${labelSentences(findings).map((sentence) => html`<p class="soft">${sentence}</p>`)}
  </div>`
}

/** CSS of the plots in such cards. */
export const LABEL_STYLE = `
svg.estimates { max-width: 560px; } svg .estimate text { font-size: 12px; } svg .estimate.chosen text { font-weight: 600; }
svg .estimate .mean { stroke: var(--soft); fill: var(--soft); } svg .estimate.chosen .mean { stroke: var(--accent); fill: var(--accent); }
svg.estimates .whole { stroke: var(--soft); stroke-dasharray: 3 3; }
`

/** Formats a report about labels as one page that loads nothing and runs nothing. */
export function formatLabelPage(report: LabelReport): string {
  const { job, metric, fileset, picked, elsewhere } = report
  const main = html`
    <h1>${metric}, corrected by people</h1>
    <p class="soft">${job}</p>
    <p>
      The corrected mean estimates what people would find if they labelled all rows of the job, with its 95 % interval.
      It also has the errors of the judge that no label shows, if the rows were drawn and the labels are right.
    </p>
    ${labelCard(metric, report)}
    <p class="soft">
      Labels are from ${fileset}. ${formatInteger(picked)} of them are of rows that somebody picked, and are not used;
      ${formatInteger(elsewhere)} belong to no row of this job.
    </p>
  `
  return formatPage({ title: `Labels of ${metric}`, style: LABEL_STYLE, main })
}

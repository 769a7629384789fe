import { type Html, cutText, formatInteger, html } from "@assay/reports"
import type { DatasetPin } from "@assay/schemas"
import type { ReportInput } from "./format-report.ts"

/** Characters of a JSON document in the report. A target can contain rows; `config/target.json` has all of them. */
const MAX_JSON = 20_000

/** Renders the job, its data, configuration and environment: enough to run it again. */
export function jobFacts({ job, pins, environment }: ReportInput): Html {
  const times = [
    ["launched", job.created_at],
    ["started", job.started_at],
    ["finished", job.finished_at],
  ].filter(([, time]) => time !== undefined && time !== null)
  return html`<h2>This job</h2>
    <div class="card">
      <table class="facts-table">
        <tbody>
          <tr>
            <th>job</th>
            <td><code>${job.namespace}/${job.id}</code></td>
          </tr>
          ${
            job.rescored_from === undefined
              ? null
              : html`<tr>
                  <th>outputs of</th>
                  <td><code>${job.rescored_from}</code></td>
                </tr>`
          }
          ${times.map(
            ([name, time]) =>
              html`<tr>
                <th>${name}</th>
                <td>${time}</td>
              </tr>`,
          )}
          ${pins.map(pinLine)}
        </tbody>
      </table>
      ${folded("Configuration", job.config)} ${folded("Target", job.target)} ${folded("Environment", environment)}
    </div>`
}

function pinLine({ files_url, fileset, revision, files }: DatasetPin): Html {
  return html`<tr>
    <th>data</th>
    <td>
      <code>${files_url}</code>
      <small>${fileset}${revision === null ? "" : ` at ${revision}`}</small>
      ${files
        .slice(0, 20)
        .map(
          ({ path, size, sha256, etag }) =>
            html`<small
              >${path}, ${formatInteger(size)} bytes,
              ${sha256 === null ? (etag ?? "of unknown content") : `sha256 ${sha256}`}</small
            >`,
        )}
    </td>
  </tr>`
}

function folded(title: string, value: unknown): Html {
  return html`<details>
    <summary>${title}</summary>
    <pre>${cutText(JSON.stringify(value, null, 2), MAX_JSON)}</pre>
  </details>`
}

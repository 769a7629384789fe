import { tokensPerAnswer } from "../../report/tokens-per-answer.ts"
import { formatShare, html, type Html } from "@assay/reports"
import type { Bounds, CalibrationReport, JudgeRates, JudgeReport, Rate } from "../../report/calibration-report.ts"

/** Renders all figures of the judges, one row each. */
export function judgeTable(judges: readonly JudgeReport[]): Html {
  const hasSaved = judges.some(({ calls }) => calls.saved > 0)
  const hasFlips = judges.some(({ flips }) => flips !== null)
  return html`<div class="card">
    <table class="figures">
      <thead>
        <tr>
          <th>Judge</th>
          <th>Precision</th>
          <th>Recall</th>
          <th>F1</th>
          <th>Kappa</th>
          <th>Unreadable</th>
          <th>Errors</th>
          ${hasFlips ? html`<th>Flips</th>` : null}
          <th>Latency p50 / p95</th>
          <th>Tokens per answer</th>
          ${hasSaved ? html`<th>Calls</th>` : null}
        </tr>
      </thead>
      <tbody>
        ${judges.map(
          (one) =>
            html`<tr>
              <th>${one.name}</th>
              ${[one.precision, one.recall, one.f1].map(
                (value) => html`<td>${value === null ? "–" : value.toFixed(3)}</td>`,
              )}
              <td>${withBounds(one.kappa, one.kappa_interval ?? null)}</td>
              <td>${counted(one.unreadable.count, one.unreadable.by_reason)}</td>
              <td>${counted(one.errors.count, one.errors.by_condition)}</td>
              ${hasFlips ? html`<td>${flips(one.flips)}</td>` : null}
              <td>${milliseconds(one.latency_ms.p50)} / ${milliseconds(one.latency_ms.p95)}</td>
              <td>${tokensPerAnswer(one)}</td>
              ${hasSaved ? html`<td>${one.calls.made}<small>${one.calls.saved} saved</small></td>` : null}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Renders how each pair of judges compares, and how much all agree. Returns null if there is only one judge. */
export function comparisonTable({ comparisons: all, agreement }: CalibrationReport): Html | null {
  if (all.length === 0) return null
  return html`<h2>Judge against judge</h2>
    <p class="soft">McNemar's exact test and Cohen's kappa, over the rows to which both gave a verdict</p>
    ${
      agreement === null
        ? null
        : html`<p>
            Krippendorff's alpha of all ${agreement.judges} judges: ${withBounds(agreement.alpha, agreement.interval)}
            over ${agreement.n} rows with two or more verdicts
          </p>`
    }
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>A</th>
            <th>B</th>
            <th>Only A right</th>
            <th>Only B right</th>
            <th>Rows</th>
            <th>p</th>
            <th>Kappa of both</th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            ({ a, b, only_a, only_b, n, p, kappa, kappa_interval }) =>
              html`<tr>
                <th>${a}</th>
                <th>${b}</th>
                <td>${only_a}</td>
                <td>${only_b}</td>
                <td>${n}</td>
                <td>${p < 0.001 ? "< 0.001" : p.toFixed(3)}</td>
                <td>${withBounds(kappa, kappa_interval)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/**
 * Renders false blocks and misses of each group as bars, with two columns for each judge. Returns null if rows have no
 * groups.
 */
export function groupTable(
  title: string,
  judges: readonly JudgeReport[],
  groupsOf: (judge: JudgeReport) => Readonly<Record<string, JudgeRates>>,
): Html | null {
  const names = Object.keys(judges[0] === undefined ? {} : groupsOf(judges[0]))
  if (names.length === 0) return null
  return html`<h2>${title}</h2>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th></th>
            ${judges.map(
              (judge) =>
                html`<th>blocked <small>${judge.name}</small></th>
                  <th>missed <small>${judge.name}</small></th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${names.map(
            (name) =>
              html`<tr>
                <th>${name}</th>
                ${judges.map((judge) => {
                  const rates = groupsOf(judge)[name]
                  return html`${shareCell(rates?.false_block, "block")}${shareCell(rates?.miss, "miss")}`
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function shareCell(rate: Rate | undefined, tone: string): Html {
  if (rate === undefined || rate.rate === null) return html`<td class="soft">–</td>`
  const range = `95 %: ${formatShare(rate.low)} to ${formatShare(rate.high)}`
  return html`<td class="share ${tone}" title="${range}">
    ${formatShare(rate.rate)} <span class="tags">${rate.count} of ${rate.n}</span>
    <span class="meter"><i style="width:${(rate.rate * 100).toFixed(1)}%"></i></span>
  </td>`
}

function counted(count: number, reasons: Readonly<Record<string, number>>): Html {
  return html`${count}${Object.entries(reasons).map(([reason, one]) => html`<small>${reason} ${one}</small>`)}`
}

function withBounds(value: number | null, bounds: Bounds): Html {
  const range = bounds === null ? null : html` <small>${bounds.low.toFixed(3)} to ${bounds.high.toFixed(3)}</small>`
  return html`${value === null ? "–" : value.toFixed(3)}${range}`
}

function flips(rate: Rate | null): string {
  return rate === null || rate.rate === null ? "–" : formatShare(rate.rate)
}

function milliseconds(value: number | null): string {
  return value === null ? "–" : `${Math.round(value)} ms`
}

import { formatShare, html, type Html } from "@assay/reports"
import type { RocReport } from "../../report/calibration-report.ts"

const SIZE = 300
const START = 40
const END = 272

/** Draws the share of unsafe prompts caught against the share of safe prompts blocked, at every threshold. */
export function rocPlot(name: string, roc: RocReport): Html {
  const at = (share: number) => START + share * (END - START)
  const path = roc.points.map(
    ({ false_block, recall }, index) =>
      `${index === 0 ? "M" : "L"}${at(false_block).toFixed(1)} ${(SIZE - at(recall)).toFixed(1)}`,
  )
  return html`<div class="card">
    <h3>${name}</h3>
    <p class="soft">
      AUC ${roc.auc.toFixed(3)}, over
      ${roc.source === "votes" ? "the share of repeats that block" : "the judge's score"}
    </p>
    <svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="ROC curve of ${name}">
      ${[0, 0.5, 1].map(
        (tick) =>
          html`<line class="grid" x1="${at(tick)}" x2="${at(tick)}" y1="${SIZE - END}" y2="${SIZE - START}" />
            <line class="grid" x1="${START}" x2="${END}" y1="${SIZE - at(tick)}" y2="${SIZE - at(tick)}" />
            <text class="soft" x="${at(tick)}" y="${SIZE - 24}" text-anchor="middle">${formatShare(tick)}</text>
            <text class="soft" x="${START - 4}" y="${SIZE - at(tick) + 4}" text-anchor="end">${tick * 100}</text>`,
      )}
      <line class="grid" x1="${START}" y1="${SIZE - START}" x2="${END}" y2="${SIZE - END}" stroke-dasharray="3 3" />
      <path class="miss" d="${path.join(" ")}" stroke-width="2.5" style="fill:none" />
      <text class="soft" x="${(START + END) / 2}" y="${SIZE - 6}" text-anchor="middle">safe prompts blocked</text>
    </svg>
    <table>
      <thead>
        <tr>
          <th>at most blocked</th>
          <th>caught</th>
          <th>block from</th>
        </tr>
      </thead>
      <tbody>
        ${roc.operating_points.map(
          ({ false_block, recall, threshold }) =>
            html`<tr>
              <td>${formatShare(false_block)}</td>
              <td>${formatShare(recall)}</td>
              <td>${threshold === null ? "–" : threshold.toPrecision(3)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

import { formatScore, html, type Html } from "@assay/reports"
import type { NamedScore } from "../scores/list-scores.ts"

/** Renders what repeated answers to the same rows show. Returns null if each row was answered once. */
export function repeatTable(scores: readonly NamedScore[]): Html | null {
  const repeated = scores.flatMap(({ name, found }) => (found.stats?.repeats ? [{ name, ...found.stats.repeats }] : []))
  const [first] = repeated
  if (first === undefined) return null
  return html`<h2>Over ${first.repeats} repeats</h2>
    <div class="card">
      <table>
        <thead>
          <tr>
            <th>Score</th>
            <th>any right (pass@k)</th>
            <th>all right (pass^k)</th>
            <th>most right</th>
            <th>rows that flip</th>
          </tr>
        </thead>
        <tbody>
          ${repeated.map(
            (one) =>
              html`<tr>
                <th>${one.name}</th>
                <td>${formatScore(one.pass_at_k)}</td>
                <td>${formatScore(one.pass_pow_k)}</td>
                <td>${formatScore(one.majority)}</td>
                <td>${formatScore(one.flip_rate)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

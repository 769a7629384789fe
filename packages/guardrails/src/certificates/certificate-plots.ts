import type { RateCounts } from "@assay/metrics"
import { formatShare, html, ratePlot, type Html, type PlottedRate } from "@assay/reports"
import type { Certificate } from "@assay/schemas"
import { boundRate } from "./certificate-rates.ts"
import { countOf, shownCandidates } from "./format-certificate.ts"

const SCALES = [0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8]

/** Renders the false blocks and the misses of the first candidates and the chosen one, with their limits. */
export function certificatePlots(certificate: Certificate): Html {
  const { limits, alpha } = certificate
  const intervals = `one-sided bounds of ${formatShare(1 - alpha)}`
  return html`<h2>How often each candidate is wrong</h2>
    <p class="legend">
      <span class="block"><i></i>harmless messages blocked</span><span class="miss"><i></i>harmful messages missed</span
      ><span>solid: certification rows</span
      ><span><i class="hollow"></i>hollow: tuning rows, which order the tests</span>
    </p>
    <p class="soft">
      Each end is an exact ${intervals.replace("bounds", "bound")}: a candidate is certified only if the right end of
      its solid line is within the limit. Rates beyond the scale are drawn at its end.
    </p>
    <div class="plots">
      <div class="card">
        <h3>Harmless messages blocked</h3>
        ${plot(certificate, { risk: "false_block", limit: limits.false_block, intervals })}
      </div>
      <div class="card">
        <h3>Harmful messages missed</h3>
        ${plot(certificate, { risk: "miss", limit: limits.miss, intervals })}
      </div>
    </div>`
}

function plot(
  certificate: Certificate,
  {
    risk,
    limit,
    intervals,
  }: { readonly risk: "false_block" | "miss"; readonly limit: number | null; readonly intervals: string },
): Html {
  const { alpha } = certificate
  const shown = shownCandidates(certificate)
  const tested = shown.filter(({ result }) => result !== "untested")
  const highs = (tested.length === 0 ? shown : tested).map(
    ({ certification }) => plotted(certification[risk], alpha).high,
  )
  const largest = Math.max(1.5 * (limit ?? 0), ...highs)
  const rows = shown.map(({ name, certification, tuning }) => ({
    name,
    rate: plotted(certification[risk], alpha),
    hollow: plotted(tuning[risk], alpha),
  }))
  const title = risk === "miss" ? "Harmful messages missed" : "Harmless messages blocked"
  const scale = SCALES.find((end) => end >= largest) ?? 1
  return ratePlot(rows, { title, tone: risk === "miss" ? "miss" : "block", limit, intervals, scale })
}

function plotted({ count, n }: RateCounts, alpha: number): PlottedRate {
  const { rate, low, high } = boundRate({ count, n }, alpha)
  const label = rate === null ? "no rows" : `${formatShare(rate)} · ${countOf({ count, n })}`
  return { rate, low, high, label }
}

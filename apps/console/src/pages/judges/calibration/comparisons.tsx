import { formatInteger } from "@assay/reports"
import type { CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"

/** Below this p value, two judges differ by more than chance. */
const SIGNIFICANT = 0.05

/** Renders how each pair of judges compares, and how much all agree. Reports of earlier versions have no agreement. */
export function Comparisons({
  comparisons,
  agreement = null,
}: Pick<CalibrationReport, "comparisons" | "agreement">): ReactElement | null {
  if (comparisons.length === 0) return null
  return (
    <section aria-label="Judge against judge">
      <h2>Judge against judge</h2>
      <p className="soft">McNemar’s exact test and Cohen’s kappa, over the rows to which both gave a verdict</p>
      {agreement === null ? null : (
        <p>
          Krippendorff’s alpha of all {formatInteger(agreement.judges)} judges:{" "}
          {formatAgreement(agreement.alpha, agreement.interval)} over {formatInteger(agreement.n)} rows with two or more
          verdicts
        </p>
      )}
      <div className="card scroll" role="region" aria-label="Comparisons of judges" tabIndex={0}>
        <table className="figures">
          <thead>
            <tr>
              {["A", "B", "Only A right", "Only B right", "Rows", "p", "Kappa", "Difference"].map((heading, index) => (
                <th key={heading} scope="col" className={index > 1 && index < 7 ? "end" : undefined}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparisons.map(({ a, b, only_a, only_b, n, p, kappa, kappa_interval }) => (
              <tr key={`${a} ${b}`}>
                <th scope="row" dir="auto">
                  {a}
                </th>
                <td dir="auto">{b}</td>
                <td className="end">{formatInteger(only_a)}</td>
                <td className="end">{formatInteger(only_b)}</td>
                <td className="end">{formatInteger(n)}</td>
                <td className="end">{n === 0 ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3)}</td>
                <td className="end">{formatAgreement(kappa, kappa_interval)}</td>
                <td>{n === 0 ? "no row has both" : p < SIGNIFICANT ? "more than chance" : "may be chance"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function formatAgreement(
  value: number | null = null,
  bounds: { readonly low: number; readonly high: number } | null = null,
): string {
  if (value === null) return "–"
  return bounds === null
    ? value.toFixed(3)
    : `${value.toFixed(3)} (${bounds.low.toFixed(3)} to ${bounds.high.toFixed(3)})`
}

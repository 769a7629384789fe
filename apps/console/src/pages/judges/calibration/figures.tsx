import { formatInteger, formatShare } from "@assay/reports"
import type { CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"

/** Renders all figures of the judges, one row each. */
export function Figures({ judges }: Pick<CalibrationReport, "judges">): ReactElement {
  return (
    <section aria-label="All figures">
      <h2>All figures</h2>
      <div className="card scroll" role="region" aria-label="Figures of the judges" tabIndex={0}>
        <table className="figures numbers">
          <thead>
            <tr>
              {[
                "Judge",
                "Precision",
                "Recall",
                "F1",
                "Kappa",
                "Unreadable",
                "Errors",
                "Flips",
                "Latency p50 / p95",
                "Tokens per answer",
                "Calls",
              ].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {judges.map((one) => (
              <tr key={one.name}>
                <th scope="row" dir="auto">
                  {one.name}
                </th>
                <td>{decimal(one.precision)}</td>
                <td>{decimal(one.recall)}</td>
                <td>{decimal(one.f1)}</td>
                <td>{decimal(one.kappa)}</td>
                <td>
                  <Counted count={one.unreadable.count} reasons={one.unreadable.by_reason} />
                </td>
                <td>
                  <Counted count={one.errors.count} reasons={one.errors.by_condition} />
                </td>
                <td>{one.flips?.rate === null || one.flips === null ? "–" : formatShare(one.flips.rate)}</td>
                <td>
                  {milliseconds(one.latency_ms.p50)} / {milliseconds(one.latency_ms.p95)}
                </td>
                <td>
                  {formatInteger(Math.round((one.tokens.prompt + one.tokens.completion) / Math.max(1, one.answers)))}
                </td>
                <td>
                  {formatInteger(one.calls.made)}
                  {one.calls.saved === 0 ? null : (
                    <small className="soft">{formatInteger(one.calls.saved)} saved</small>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Counted({
  count,
  reasons,
}: {
  readonly count: number
  readonly reasons: Readonly<Record<string, number>>
}): ReactElement {
  return (
    <>
      {formatInteger(count)}
      {Object.entries(reasons).map(([reason, one]) => (
        <small key={reason} className="soft">
          {reason} {formatInteger(one)}
        </small>
      ))}
    </>
  )
}

function decimal(value: number | null): string {
  return value === null ? "–" : value.toFixed(3)
}

function milliseconds(value: number | null): string {
  return value === null ? "–" : `${formatInteger(Math.round(value))} ms`
}

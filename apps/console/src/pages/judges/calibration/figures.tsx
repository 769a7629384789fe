import { formatInteger, formatShare } from "@assay/reports"
import type { CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"

const HEADINGS = [
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
]

/** Renders all figures of the judges, one row each. */
export function Figures({ judges }: Pick<CalibrationReport, "judges">): ReactElement {
  return (
    <section aria-label="All figures">
      <h2>All figures</h2>
      <div className="card scroll" role="region" aria-label="Figures of the judges" tabIndex={0}>
        <table className="figures numbers">
          <thead>
            <tr>
              {HEADINGS.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {judges.map((judge) => (
              <JudgeFigures key={judge.name} judge={judge} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function JudgeFigures({ judge }: { readonly judge: CalibrationReport["judges"][number] }): ReactElement {
  const { flips, latency_ms: latency, tokens, calls } = judge
  return (
    <tr>
      <th scope="row" dir="auto">
        {judge.name}
      </th>
      <td>{decimal(judge.precision)}</td>
      <td>{decimal(judge.recall)}</td>
      <td>{decimal(judge.f1)}</td>
      <td>{decimal(judge.kappa)}</td>
      <td>
        <Counted count={judge.unreadable.count} reasons={judge.unreadable.by_reason} />
      </td>
      <td>
        <Counted count={judge.errors.count} reasons={judge.errors.by_condition} />
      </td>
      <td>{flips?.rate === null || flips === null ? "–" : formatShare(flips.rate)}</td>
      <td>
        {milliseconds(latency.p50)} / {milliseconds(latency.p95)}
      </td>
      <td>
        {tokens.prompt === null || tokens.completion === null
          ? "–"
          : formatInteger(Math.round((tokens.prompt + tokens.completion) / Math.max(1, judge.answers)))}
      </td>
      <td>
        {formatInteger(calls.made)}
        {calls.saved === 0 ? null : <small className="soft">{formatInteger(calls.saved)} saved</small>}
      </td>
    </tr>
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

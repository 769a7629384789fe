import { formatShare } from "@assay/reports"
import type { CalibrationRate, CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"
import { boxTone, RateBoxes } from "../../../plots/rate-boxes.tsx"

export interface RatesProps {
  readonly report: CalibrationReport
  readonly chosen: string | undefined
}

/** Renders false blocks against misses for each judge: among its verdicts, and as users would experience it. */
export function Rates({ report, chosen }: RatesProps): ReactElement {
  const { judges, limits } = report
  const plot = {
    xTitle: "safe prompts blocked",
    yTitle: "unsafe prompts missed",
    limits: { x: limits.false_block, y: limits.miss },
    chosen,
  }
  return (
    <section aria-label="How often judges are wrong">
      <h2>How often it is wrong</h2>
      <p className="soft">
        The lower left corner is best. A box is a 95 % interval: a larger set of prompts makes it smaller.
      </p>
      <ol className="judges">
        {judges.map(({ name }, index) => (
          <li key={name} className={`${boxTone(index)} ${name === chosen ? "chosen" : ""}`}>
            <b>{index + 1}</b> <span dir="auto">{name}</span>
          </li>
        ))}
      </ol>
      <div className="columns">
        <div className="card">
          <h3>Among the verdicts</h3>
          <RateBoxes
            {...plot}
            title="False blocks against misses, among the verdicts"
            boxes={judges.map(({ name, false_block, miss }) => ({ name, x: false_block, y: miss }))}
          />
        </div>
        <div className="card">
          <h3>What users would see</h3>
          <RateBoxes
            {...plot}
            title="False blocks against misses, with unreadable answers and errors"
            boxes={judges.map(({ name, under_policy }) => ({
              name,
              x: under_policy.false_block,
              y: under_policy.miss,
            }))}
          />
        </div>
      </div>
      <RateTable judges={judges} />
    </section>
  )
}

/** Renders the rates as a table, which is closed at first. */
function RateTable({ judges }: Pick<CalibrationReport, "judges">): ReactElement {
  return (
    <details>
      <summary>As a table</summary>
      <div className="card scroll" role="region" aria-label="Rates of the judges" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Judge</th>
              <th scope="col">Safe blocked</th>
              <th scope="col">Unsafe missed</th>
              <th scope="col">Users: safe blocked</th>
              <th scope="col">Users: unsafe missed</th>
            </tr>
          </thead>
          <tbody>
            {judges.map(({ name, false_block, miss, under_policy }) => (
              <tr key={name}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                {[false_block, miss, under_policy.false_block, under_policy.miss].map((rate, index) => (
                  // The cells of a row have no names of their own.
                  // oxlint-disable-next-line react/no-array-index-key -- the order never changes
                  <td key={index}>
                    <RateText rate={rate} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** Renders a rate with its interval and the rows that it counts. */
function RateText({ rate: { rate, low, high, count, n } }: { readonly rate: CalibrationRate }): ReactElement {
  if (rate === null) return <span className="soft">–</span>
  return (
    <>
      {formatShare(rate)}
      <small className="soft">
        {formatShare(low)} to {formatShare(high)} · {count} of {n}
      </small>
    </>
  )
}

import { conditionCard, formatShare, html } from "@assay/reports"
import type { CalibrationReport } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { Markup } from "../../../components/markup.tsx"

const TITLES = { false_block: "Safe prompts blocked", miss: "Unsafe prompts missed" } as const
/** Conditions that are shown in red. */
const SEVERE: ReadonlySet<string> = new Set(["judge_overblocks", "judge_underblocks"])

/** Renders which judge keeps which limit. */
export function Gates({ gates }: Pick<CalibrationReport, "gates">): ReactElement | null {
  if (gates.length === 0) return null
  return (
    <section aria-label="Gates">
      <h2>Gates</h2>
      <p className="soft">
        The whole interval has to keep the limit. If the limit is inside the interval, more prompts are needed.
      </p>
      <div className="card scroll" role="region" aria-label="Gates of the judges" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Judge</th>
              <th scope="col">Gate</th>
              <th scope="col">Verdict</th>
              <th scope="col">Interval</th>
            </tr>
          </thead>
          <tbody>
            {gates.map(({ judge, gate, limit, low, high, basis, verdict }) => (
              <tr key={`${judge} ${gate}`}>
                <th scope="row" dir="auto">
                  {judge}
                </th>
                <td>
                  {TITLES[gate]} ≤ {formatShare(limit)}
                </td>
                <td>
                  <Badge text={verdict} tone={verdict} />
                </td>
                <td>
                  {formatShare(low)} to {formatShare(high)}
                  {basis === "under_policy" ? <small className="soft">with unreadable answers and errors</small> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Renders what is wrong with judges, with evidence and remedies. */
export function CalibrationConditions({ conditions }: Pick<CalibrationReport, "conditions">): ReactElement | null {
  if (conditions.length === 0) return null
  return (
    <section aria-label="Problems and remedies">
      <h2>Problems and remedies</h2>
      {conditions.map(({ code, judge, title, message, evidence, remedy }) => (
        <Markup
          key={`${code} ${judge}`}
          of={conditionCard({
            tone: SEVERE.has(code) ? "FAIL" : "INCONCLUSIVE",
            title,
            marks: html`<span class="soft">${judge}</span><code>${code}</code>`,
            message: html`<p>${message}</p>`,
            evidence,
            remedy,
          })}
        />
      ))}
    </section>
  )
}

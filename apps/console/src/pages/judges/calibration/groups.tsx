import { formatShare } from "@assay/reports"
import type { CalibratedJudge, CalibratedRates, CalibrationRate } from "@assay/schemas"
import type { ReactElement } from "react"

/** Maximum number of groups that are shown: columns of a hostile file may have a value for each row. */
const MAX_GROUPS = 200

export interface GroupsProps {
  readonly title: string
  readonly judges: readonly CalibratedJudge[]
  readonly groupsOf: (judge: CalibratedJudge) => Readonly<Record<string, CalibratedRates>>
}

/** Renders false blocks and misses of each group of rows as bars, with two columns for each judge. */
export function Groups({ title, judges, groupsOf }: GroupsProps): ReactElement | null {
  const names = [...new Set(judges.flatMap((judge) => Object.keys(groupsOf(judge))))]
  if (names.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <div className="card scroll" role="region" aria-label={`Rates ${title.toLowerCase()}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Group</th>
              {judges.flatMap(({ name }) => [
                <th key={`${name} blocked`} scope="col">
                  blocked <small dir="auto">{name}</small>
                </th>,
                <th key={`${name} missed`} scope="col">
                  missed <small dir="auto">{name}</small>
                </th>,
              ])}
            </tr>
          </thead>
          <tbody>
            {names.slice(0, MAX_GROUPS).map((group) => (
              <tr key={group}>
                <th scope="row" dir="auto">
                  {group}
                </th>
                {judges.flatMap((judge) => {
                  const rates = groupsOf(judge)[group]
                  return [
                    <ShareCell key={`${judge.name} blocked`} rate={rates?.false_block} tone="block" />,
                    <ShareCell key={`${judge.name} missed`} rate={rates?.miss} tone="miss" />,
                  ]
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {names.length > MAX_GROUPS ? (
          <p className="soft">
            The first {MAX_GROUPS} of {names.length} are shown.
          </p>
        ) : null}
      </div>
    </section>
  )
}

interface ShareCellProps {
  readonly rate: CalibrationRate | undefined
  readonly tone: "block" | "miss"
}

function ShareCell({ rate, tone }: ShareCellProps): ReactElement {
  if (rate === undefined || rate.rate === null) return <td className="soft">–</td>
  return (
    <td className={`share ${tone}`} title={`95 %: ${formatShare(rate.low)} to ${formatShare(rate.high)}`}>
      {formatShare(rate.rate)}{" "}
      <span className="soft">
        {rate.count} of {rate.n}
      </span>
      <span className="meter">
        <i style={{ width: `${rate.rate * 100}%` }} />
      </span>
    </td>
  )
}

import { formatCost } from "@assay/reports"
import type { ReactElement } from "react"
import { monthName } from "./month-name.ts"
import type { Costs } from "../../../numbers/cost-text.ts"
import type { Used } from "./month-spending.ts"

const WIDTH = 760
const HEIGHT = 200
const BOTTOM = 168
const TOP = 24

export interface MonthBarsProps {
  readonly months: readonly Used[]
  readonly currency: string
  /** Of the last month. Undefined: there is none. */
  readonly forecast: Costs | undefined
  /** The month whose details are shown. */
  readonly chosen: string
  readonly onChoose: (month: string) => void
}

/** Draws what each month has cost, and the forecast of the current one as an outline. A click chooses a month; the choice above it says the same. */
export function MonthBars({ months, currency, forecast, chosen, onChoose }: MonthBarsProps): ReactElement {
  const costs = months.map((month) => month.costs[currency] ?? 0)
  const expected = forecast?.[currency] ?? 0
  const most = Math.max(...costs, expected, Number.MIN_VALUE)
  const step = WIDTH / months.length
  const height = (amount: number) => (amount / most) * (BOTTOM - TOP)
  return (
    <>
      <p className="soft">Cost of each month{currency === "" ? "" : ` in ${currency}`}</p>
      <div className="plot-scroll">
        <svg
          className="month-bars"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={`Cost of each month in ${currency}`}
        >
          <line className="grid" x1={0} x2={WIDTH} y1={BOTTOM} y2={BOTTOM} />
          {months.map(({ name }, index) => {
            const cost = costs[index] ?? 0
            const x = index * step + step * 0.18
            const width = step * 0.64
            const isLast = index === months.length - 1
            return (
              <g key={name} className={name === chosen ? "chosen" : undefined} onClick={() => onChoose(name)}>
                <rect className="hit" x={index * step} y={0} width={step} height={HEIGHT} />
                {isLast && expected > cost ? (
                  <rect
                    className="forecast"
                    x={x}
                    y={BOTTOM - height(expected)}
                    width={width}
                    height={height(expected)}
                    rx={3}
                  />
                ) : null}
                <rect className="bar" x={x} y={BOTTOM - height(cost)} width={width} height={height(cost)} rx={3} />
                {cost === 0 ? null : (
                  <text
                    x={x + width / 2}
                    y={BOTTOM - height(isLast ? Math.max(cost, expected) : cost) - 6}
                    textAnchor="middle"
                  >
                    {formatCost(cost, "").trim()}
                  </text>
                )}
                <text className="soft" x={x + width / 2} y={BOTTOM + 18} textAnchor="middle">
                  {monthName(name, "short")}
                </text>
              </g>
            )
          })}
        </svg>
      </div>
    </>
  )
}

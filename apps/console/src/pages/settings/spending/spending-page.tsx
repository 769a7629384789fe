import { formatInteger } from "@assay/reports"
import type { Spending } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useNow } from "../../../components/times/use-now.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { costText, type Costs } from "../../../numbers/cost-text.ts"
import { MonthBars } from "./month-bars.tsx"
import { MonthJobs } from "./month-jobs.tsx"
import { monthName } from "./month-name.ts"
import { forecastOf, type Used, usedByMonth } from "./month-spending.ts"
import { WorkspaceTable } from "./workspace-table.tsx"
import "./spending.css"

const MONTHS = 12
const NOW_MS = 60_000

/** Shows what the jobs of all workspaces have cost, month by month, with the current month as a forecast. */
export function SpendingPage(): ReactElement {
  const client = useClient()
  const { data, error, refetch } = useQuery({
    queryKey: ["spending"],
    queryFn: ({ signal }) => client.budgets.spending({ months: MONTHS }, { signal }),
  })
  return (
    <>
      <PageHeader help="guides/evaluation#prices" title="Spending">
        What jobs have used, judges among them, in each month (UTC). Prices are those of the server's price table.
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} again={() => void refetch()} />}
      {data === undefined ? error === null ? <Loading /> : null : <Months spending={data} />}
    </>
  )
}

function Months({ spending }: { readonly spending: Spending }): ReactElement {
  const [given = spending.month, choose] = useSearchValue("month")
  const now = useNow(NOW_MS)
  const months = usedByMonth(spending, MONTHS)
  const used = months.find(({ name }) => name === given) ?? months.at(-1)
  if (used === undefined || months.every(({ requests }) => requests === 0)) {
    return (
      <EmptyState title="Nothing was used in the last 12 months" command="ASSAY_PRICES_FILE=./prices.yaml assay serve">
        <p>Jobs that ask models are counted here. A file with prices makes their cost known:</p>
      </EmptyState>
    )
  }
  const isCurrent = used.name === spending.month
  const forecast = isCurrent ? forecastOf(used, spending, now) : undefined
  const currencies = [...new Set(months.flatMap(({ costs }) => Object.keys(costs)))]
  return (
    <>
      <p className="actions">
        <label htmlFor="month">Month</label>
        <select id="month" value={used.name} onChange={({ target }) => choose(target.value)}>
          {months.toReversed().map(({ name }) => (
            <option key={name} value={name}>
              {monthName(name, "long")}
              {name === spending.month ? ", so far" : ""}
            </option>
          ))}
        </select>
      </p>
      <section className="card" aria-label={monthName(used.name, "long")}>
        <MonthFigures used={used} forecast={forecast} isCurrent={isCurrent} />
        {currencies.map((currency) => (
          <MonthBars
            key={currency}
            months={months}
            currency={currency}
            forecast={forecastOf(months.at(-1) ?? used, spending, now)}
            chosen={used.name}
            onChoose={choose}
          />
        ))}
      </section>
      <WorkspaceTable spending={spending} month={used.name} now={now} />
      <MonthJobs month={used.name} />
    </>
  )
}

interface MonthFiguresProps {
  readonly used: Used
  readonly forecast: Costs | undefined
  readonly isCurrent: boolean
}

function MonthFigures({ used, forecast, isCurrent }: MonthFiguresProps): ReactElement {
  const { costs, requests, tokens, unpriced } = used
  return (
    <>
      <dl className="figures">
        <div>
          <dt>{isCurrent ? "Cost so far" : "Cost"}</dt>
          <dd>{costText(costs)}</dd>
        </div>
        {forecast === undefined || Object.keys(forecast).length === 0 ? null : (
          <div>
            <dt>Forecast for the whole month</dt>
            <dd>about {costText(forecast)}</dd>
          </div>
        )}
        <div>
          <dt>Requests</dt>
          <dd>{formatInteger(requests)}</dd>
        </div>
        <div>
          <dt>Tokens</dt>
          <dd>{formatInteger(tokens)}</dd>
        </div>
      </dl>
      {unpriced === 0 ? null : (
        <p className="soft">
          {formatInteger(unpriced)} tokens have no price, so the cost does not contain them.{" "}
          <code>ASSAY_PRICES_FILE</code> names prices of models.
        </p>
      )}
      {isCurrent ? (
        <p className="soft">
          {forecast === undefined
            ? "There is a forecast from the second day of the month on."
            : "The forecast is the cost so far, divided by the part of the month that is over."}
        </p>
      ) : null}
    </>
  )
}

import { formatInteger } from "@assay/reports"
import type { Spending, WorkspaceBudget } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { budgetText } from "../budget/budget-text.ts"
import { costText } from "../../../numbers/cost-text.ts"
import { forecastOf, usedByWorkspace } from "./month-spending.ts"

export interface WorkspaceTableProps {
  readonly spending: Spending
  readonly month: string
  readonly now: number
}

/** Workspaces whose budgets are read. */
const MAX_BUDGETS = 50

/** Shows what each workspace has used in a month; in the current one, its forecast and its budget. */
export function WorkspaceTable({ spending, month, now }: WorkspaceTableProps): ReactElement {
  const used = usedByWorkspace(spending, month)
  const isCurrent = month === spending.month
  const budgets = useBudgets(isCurrent ? used.slice(0, MAX_BUDGETS).map(({ name }) => name) : [])
  return (
    <>
      <h2>By workspace</h2>
      <p className="soft">By the price table of the server. Prices in files of evaluations do not count here.</p>
      {used.length === 0 ? <p className="soft">No workspace used anything in this month.</p> : null}
      <div className="card spent" hidden={used.length === 0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Workspace</th>
              <th scope="col" className="end">
                Cost
              </th>
              {isCurrent ? (
                <th scope="col" className="end">
                  Forecast
                </th>
              ) : null}
              <th scope="col" className="end">
                Requests
              </th>
              <th scope="col" className="end">
                Tokens
              </th>
              {isCurrent ? <th scope="col">Budget</th> : null}
            </tr>
          </thead>
          <tbody>
            {used.map((one) => {
              const forecast = forecastOf(one, spending, now)
              return (
                <tr key={one.name}>
                  <th scope="row">
                    <Link to="/workspaces" search={{ name: one.name }}>
                      {one.name}
                    </Link>
                  </th>
                  <td className="end">
                    {Object.keys(one.costs).length === 0 && one.unpriced > 0 ? "no price" : costText(one.costs)}
                  </td>
                  {isCurrent ? <td className="end">{forecast === undefined ? "–" : costText(forecast)}</td> : null}
                  <td className="end">{formatInteger(one.requests)}</td>
                  <td className="end">{formatInteger(one.tokens)}</td>
                  {isCurrent ? <td>{budgetText(budgets.get(one.name))}</td> : null}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

function useBudgets(workspaces: readonly string[]): ReadonlyMap<string, WorkspaceBudget> {
  const { budgets } = useClient()
  return useQueries({
    queries: workspaces.map((workspace) => ({
      queryKey: ["budgets", workspace],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => budgets.get(workspace, { signal }),
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.workspace, data] as const]))),
  })
}

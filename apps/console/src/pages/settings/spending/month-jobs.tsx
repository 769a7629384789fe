import { formatInteger } from "@assay/reports"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { nameOfJob, nameOfTarget } from "../../evaluation/jobs/job-names.ts"
import { costText, costTexts } from "../../../numbers/cost-text.ts"
import { dearest, hasTokens, sumOfJobs, usedByModel } from "./month-spending.ts"

/** Jobs of a month that are read. */
const MAX_JOBS = 1000
const SHOWN = 20

/** Shows the models and the jobs of a month that cost most. They are those that were created in it. */
export function MonthJobs({ month }: { readonly month: string }): ReactElement {
  const { data, error } = useJobsOfMonth(month)
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  const asking = data.data.filter(hasTokens)
  const models = usedByModel(asking)
  const costly = asking.map((job) => ({ job, ...sumOfJobs(job.id, [job]) })).toSorted(dearest)
  const count = data.pagination?.total_results ?? 0
  const total = sumOfJobs(month, asking)
  const textOf = costTexts([...models, ...costly].map(({ costs }) => costs))
  if (asking.length === 0) return <p className="soft">No job that was created in this month asked a model.</p>
  return (
    <>
      <h2>By model</h2>
      <p>
        {Object.keys(total.costs).length === 0 ? (
          "No price was known for the models of these jobs when they were launched."
        ) : (
          <>
            These jobs cost <b>{costText(total.costs)}</b>
            {total.unpriced > 0 ? ", and more," : ""} by the prices that they were launched with, also those in their
            files.
          </>
        )}
      </p>
      <p className="soft">
        Of the jobs that were created in this month and still exist, without their judges
        {count > MAX_JOBS ? `: the newest ${formatInteger(MAX_JOBS)} of ${formatInteger(count)}` : ""}.
      </p>
      <ModelTable models={models} textOf={textOf} />
      <h2>By job</h2>
      {costly.length > SHOWN ? (
        <p className="soft">
          The {SHOWN} dearest of {formatInteger(costly.length)} jobs.
        </p>
      ) : null}
      <div className="card spent">
        <table>
          <Head first="Job" second="Model" />
          <tbody>
            {costly.slice(0, SHOWN).map(({ job, costs, tokens }) => (
              <tr key={job.id}>
                <th scope="row">
                  <Link className="two-lines" to="/jobs/$id" params={{ id: job.id }} title={nameOfJob(job)}>
                    {nameOfJob(job)}
                  </Link>
                </th>
                <td className="end">{textOf(costs)}</td>
                <td className="wide" dir="auto">
                  {nameOfTarget(job)}
                </td>
                <td className="end">{formatInteger(tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface ModelTableProps {
  readonly models: ReturnType<typeof usedByModel>
  readonly textOf: ReturnType<typeof costTexts>
}

function ModelTable({ models, textOf }: ModelTableProps): ReactElement {
  return (
    <div className="card spent">
      <table>
        <Head first="Model" second="Jobs" isNumber />
        <tbody>
          {models.slice(0, SHOWN).map(({ name, costs, requests, tokens, unpriced }) => (
            <tr key={name}>
              <th scope="row" dir="auto">
                {name}
              </th>
              <td className="end">{`${textOf(costs)}${unpriced > 0 && Object.keys(costs).length > 0 ? ", and more" : ""}`}</td>
              <td className="end">{formatInteger(requests)}</td>
              <td className="end">{formatInteger(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Reads the newest jobs that were created in a month. */
function useJobsOfMonth(month: string) {
  const { jobs } = useClient().evaluation
  return useQuery({
    queryKey: ["jobs", "month", month],
    queryFn: ({ signal }) => {
      const next = new Date(`${month}-01T00:00:00Z`)
      next.setUTCMonth(next.getUTCMonth() + 1)
      const range = { createdFrom: `${month}-01`, createdBefore: next.toISOString().slice(0, 10) }
      return jobs.page({ page_size: MAX_JOBS, ...range }, { signal })
    },
  })
}

interface HeadProps {
  readonly first: string
  readonly second: string
  /** Whether the second column has numbers. */
  readonly isNumber?: boolean
}

function Head({ first, second, isNumber = false }: HeadProps): ReactElement {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col" className="end">
          Cost
        </th>
        <th scope="col" className={isNumber ? "end" : "wide"}>
          {second}
        </th>
        <th scope="col" className="end">
          Tokens
        </th>
      </tr>
    </thead>
  )
}

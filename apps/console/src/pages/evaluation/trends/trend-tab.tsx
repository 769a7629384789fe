import { formatCount, formatInteger, formatScore } from "@assay/reports"
import type { JobTrend } from "@assay/schemas"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ChoiceButtons } from "../../../components/choice-buttons.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Folded } from "../../../components/folded.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { datasetsOf } from "../jobs/job-facts.ts"
import { nameOfModel } from "../jobs/job-names.ts"
import { ALL, TrendChoice } from "./trend-choice.tsx"
import { seriesClass } from "./series-look.ts"
import { SeriesMark } from "./series-mark.tsx"
import { TrendPlot } from "./trend-plot.tsx"
import { axisSteps, seriesOf, trendCharts, type TrendAxis, type TrendChart } from "./trend-points.ts"

/** Shows scores with intervals, cost, time and failures of jobs over time. */
export function TrendTab({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const [dataset] = useSearchValue("dataset")
  const [config] = useSearchValue("config")
  const [name] = useSearchValue("name")
  const [baseline] = useSearchValue("baseline")
  const isOpen = [dataset, config, name, baseline].every((value) => value === undefined)
  const newest = useQuery({
    queryKey: ["jobs", "newest", workspace],
    queryFn: ({ signal }) =>
      client.evaluation.jobs.page({ page_size: 1, filter: { namespace: workspace, status: "COMPLETED" } }, { signal }),
    enabled: isOpen,
  })
  // A line through jobs over different rows means nothing, so the dataset of the newest job is shown until somebody chooses.
  const first = isOpen ? newest.data?.data.flatMap(datasetsOf)[0] : undefined
  const shown = dataset === ALL ? undefined : (dataset ?? first)
  const chosen = { dataset: shown, config, name, baseline }
  const query = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
  const { data, error } = useQuery({
    queryKey: ["jobs", "trend", workspace, query],
    queryFn: ({ signal }) => client.evaluation.trend(workspace, query, { signal }),
    placeholderData: keepPreviousData,
    enabled: !isOpen || !newest.isPending,
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  return (
    <>
      <TrendChoice choices={data.choices} dataset={shown} />
      {data.data.length === 0 ? (
        <EmptyState title="No job has ended here" command="assay eval launch eval.yaml">
          <p>Each job that ends is a point. Launch the same evaluation again, such as each night, to see it change.</p>
        </EmptyState>
      ) : (
        <Trend trend={data} />
      )}
    </>
  )
}

const AXES = { day: "By day", commit: "By commit" } as const
/** Charts that are drawn before somebody asks for the others. */
const MAX_OPEN = 6

function Trend({ trend: { data, total } }: { readonly trend: JobTrend }): ReactElement {
  const [given, setAxis] = useSearchValue("axis")
  const hasCommits = data.some(({ commit }) => commit !== null)
  const axis: TrendAxis = hasCommits && given !== "day" ? "commit" : "day"
  const charts = trendCharts(data)
  const shared = { axis, steps: axisSteps(data, axis), series: seriesOf(data) }
  const amounts = charts.filter(({ isQuality }) => !isQuality)
  const scores = charts.filter(({ isQuality }) => isQuality)
  const open = [...scores.slice(0, MAX_OPEN), ...amounts]
  const rest = scores.slice(MAX_OPEN)
  return (
    <>
      <div className="actions trend-head">
        <span className="soft">
          {total > data.length
            ? `the newest ${formatInteger(data.length)} of ${formatInteger(total)} jobs`
            : `${formatInteger(total)} ${total === 1 ? "job" : "jobs"}`}
        </span>
        {hasCommits ? (
          <ChoiceButtons
            label="Axis"
            choices={AXES}
            chosen={axis}
            onChoose={(next) => setAxis(next === "commit" ? undefined : next)}
          />
        ) : null}
      </div>
      <SeriesLegend series={shared.series} />
      <div className="trend-charts">
        {open.map((chart) => (
          <ChartCard key={chart.title} chart={chart} {...shared} />
        ))}
      </div>
      {rest.length === 0 ? null : (
        <Folded title={formatCount(rest.length, "further score")}>
          {() => (
            <div className="trend-charts">
              {rest.map((chart) => (
                <ChartCard key={chart.title} chart={chart} {...shared} />
              ))}
            </div>
          )}
        </Folded>
      )}
      <Folded title="The same as a table">{() => <TrendTable data={data} charts={charts} />}</Folded>
    </>
  )
}

function SeriesLegend({ series }: { readonly series: readonly string[] }): ReactElement | null {
  if (series.length < 2) return null
  return (
    <ul className="series-legend" aria-label="Lines">
      {series.map((name, at) => (
        <li key={name} className={seriesClass(at)}>
          <svg viewBox="0 0 18 10" aria-hidden="true">
            <polyline points="0,5 18,5" />
            <SeriesMark at={at} x={9} y={5} />
          </svg>
          <span dir="auto">{name}</span>
        </li>
      ))}
    </ul>
  )
}

interface ChartCardProps {
  readonly chart: TrendChart
  readonly axis: TrendAxis
  readonly steps: readonly string[]
  readonly series: readonly string[]
}

function ChartCard(props: ChartCardProps): ReactElement {
  const { title, unit, points } = props.chart
  const last = points.at(-1)
  return (
    <article className="card">
      <h2>
        <span dir="auto">{title}</span>
        {last === undefined ? null : (
          <span className="soft">
            last {formatScore(last.value)}
            {unit}
          </span>
        )}
      </h2>
      <TrendPlot {...props} />
    </article>
  )
}

/** Rows of the table; the newest come first. */
const MAX_ROWS = 100

function TrendTable({
  data,
  charts,
}: {
  readonly data: JobTrend["data"]
  readonly charts: readonly TrendChart[]
}): ReactElement {
  const newest = data.toReversed().slice(0, MAX_ROWS)
  return (
    <div className="plot-scroll" role="group" aria-label="Jobs over time" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Job</th>
            <th>Launched</th>
            <th>Commit</th>
            <th>Model</th>
            {charts.map(({ title }) => (
              <th key={title} className="end">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newest.map((point) => (
            <tr key={point.job}>
              <td>
                <Link to="/jobs/$id" params={{ id: point.job }}>
                  {point.name}
                </Link>
              </td>
              <td>
                <Time at={point.created_at} />
              </td>
              <td className="mono">{point.commit?.slice(0, 10) ?? "–"}</td>
              <td>{nameOfModel(point.model)}</td>
              {charts.map(({ title, unit, points }) => {
                const found = points.find((one) => one.point === point)
                return (
                  <td key={title} className="end">
                    {found === undefined ? "–" : `${formatScore(found.value)}${unit}`}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

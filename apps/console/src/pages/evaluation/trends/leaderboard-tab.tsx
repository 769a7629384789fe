import { formatCount, formatScore } from "@assay/reports"
import type { Leaderboard } from "@assay/schemas"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { useJobLabels } from "../compare/use-job-labels.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { formatEvenScore } from "../../../numbers/even-score.ts"
import { nameOfModel } from "../jobs/job-names.ts"

/** Ranks the latest jobs over a dataset, in groups that paired tests do not tell apart. */
export function LeaderboardTab({ workspace }: { readonly workspace: string }): ReactElement {
  const client = useClient()
  const [given, setDataset] = useSearchValue("dataset")
  const [score, setScore] = useSearchValue("score")
  const { data: trend, error: failure } = useQuery({
    queryKey: ["jobs", "trend", workspace, {}],
    queryFn: ({ signal }) => client.evaluation.trend(workspace, {}, { signal }),
  })
  const datasets = trend?.choices.datasets ?? []
  const dataset = given ?? datasets[0]
  const { data, error } = useQuery({
    queryKey: ["jobs", "leaderboard", workspace, dataset, score],
    queryFn: ({ signal }) => {
      const query = { dataset: dataset ?? "", ...(score === undefined ? {} : { score }) }
      return client.evaluation.leaderboard(workspace, query, { signal })
    },
    enabled: dataset !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (failure !== null) return <ErrorCard error={failure} />
  if (trend === undefined) return <Loading />
  if (dataset === undefined) {
    return (
      <EmptyState title="No job over a dataset has ended" command="assay eval launch eval.yaml">
        <p>A leaderboard ranks the latest job of each model over one dataset.</p>
      </EmptyState>
    )
  }
  const offered = datasets.includes(dataset) ? datasets : [dataset, ...datasets]
  return (
    <>
      <section className="card pickers" aria-label="Which leaderboard">
        <SelectField
          label="Dataset"
          choices={offered.map((one) => [one, one] as const)}
          value={dataset}
          onChange={setDataset}
        />
        {data === undefined ? null : (
          <SelectField
            label="Score"
            choices={data.scores.map((one) => [one, one] as const)}
            value={data.score}
            onChange={setScore}
          />
        )}
      </section>
      {error === null ? null : <ErrorCard error={error} />}
      {data === undefined && error === null ? <Loading what="Testing each two jobs" /> : null}
      {data === undefined ? null : <Ranking board={data} />}
    </>
  )
}

function Ranking({ board }: { readonly board: Leaderboard }): ReactElement {
  const { data, different_rows: different, left_out: left, higher_is_better: isHigherBetter } = board
  const best = data[0]?.job
  const labels = useJobLabels(
    useMemo(() => data.map(({ job, name, model }) => ({ id: job, name, group: model })), [data]),
  )
  const ends = data.flatMap(({ mean, low, high }) => [mean ?? 0, low ?? mean ?? 0, high ?? mean ?? 0])
  const from = Math.min(0, ...ends)
  const to = Math.max(1e-9, ...ends)
  return (
    <section className="card" aria-label="Leaderboard">
      <h2>The latest job of each model and description</h2>
      <p className="soft">
        {isHigherBetter ? "Higher" : "Lower"} is better. Jobs that share a letter are not told apart by paired tests of
        their rows, of which at most 5 % find a difference that is not there (Holm).
        {different === 0 ? "" : ` Not counted, because some job asks something else: ${formatCount(different, "row")}.`}
        {left === 0 ? "" : ` Left out without this score, or with too many rows: ${formatCount(left, "job")}.`}
      </p>
      <table className="ranking">
        <thead>
          <tr>
            <th>Group</th>
            <th>Model</th>
            <th>Job</th>
            <th className="end">Mean</th>
            <th>Interval</th>
            <th>Launched</th>
            <th>
              <span className="unseen">Comparison</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((one, at) => (
            <RankRow key={one.job} one={one} name={labels[at]?.name ?? one.name} best={best} from={from} to={to} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RankRowProps extends RankBarProps {
  readonly name: string
  /** The id of the best job. */
  readonly best: string | undefined
}

function RankRow({ one, name, best, from, to }: RankRowProps): ReactElement {
  return (
    <tr>
      <td>
        <b className="letters">{one.group}</b>
      </td>
      <th scope="row">{nameOfModel(one.model)}</th>
      <td>
        <Link className="two-lines" to="/jobs/$id" params={{ id: one.job }} title={name}>
          {name}
        </Link>
      </td>
      <td className="end">{formatEvenScore(one.mean)}</td>
      <td className="bar">
        <RankBar one={one} from={from} to={to} />
      </td>
      <td className="launched">
        <Time at={one.created_at} />
      </td>
      <td>
        {best === undefined || one.job === best ? null : (
          <Link to="/compare" search={{ a: best, b: one.job }}>
            compare with the best
          </Link>
        )}
      </td>
    </tr>
  )
}

const WIDTH = 200

interface RankBarProps {
  readonly one: Leaderboard["data"][number]
  readonly from: number
  readonly to: number
}

function RankBar({ one: { mean, low, high }, from, to }: RankBarProps): ReactElement | null {
  if (mean === null) return null
  const x = (value: number) => 8 + ((value - from) / (to - from)) * (WIDTH - 16)
  const between = low === null || high === null ? "" : `, ${formatScore(low)} to ${formatScore(high)}`
  return (
    <svg className="rank-bar" viewBox={`0 0 ${WIDTH} 20`} role="img" aria-label={`${formatScore(mean)}${between}`}>
      <line className="grid" x1={8} x2={WIDTH - 8} y1={10} y2={10} />
      {low === null || high === null ? null : <path d={`M${x(low)} 5v10M${x(low)} 10H${x(high)}M${x(high)} 5v10`} />}
      <circle cx={x(mean)} cy={10} r={4.5} />
    </svg>
  )
}

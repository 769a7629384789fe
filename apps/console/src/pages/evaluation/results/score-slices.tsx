import { formatCount, formatInteger, slicePlot, sliceSentence } from "@assay/reports"
import { formatRowFilterTerm } from "@assay/client"
import type { EvaluationJob, EvaluationResult, ScoreSlices } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Folded } from "../../../components/folded.tsx"
import { Markup } from "../../../components/markup.tsx"
import { termOfValue } from "../../data/rows/use-row-filters.ts"
import { unitOfMetric } from "../jobs/score-unit.ts"
import { scoresOf } from "./list-scores.ts"

/** A browser draws more pictures too slowly. */
const MAX_SHOWN = 60
/** Pictures that are shown although nothing differs in them. */
const MAX_PLAIN = 4

interface ScoreSlicesShownProps {
  readonly job: Pick<EvaluationJob, "id" | "config">
  readonly result: EvaluationResult
}

/** Shows each score by the values of the slice columns of the job, those that differ first. Shows nothing if there are none. */
export function ScoreSlicesShown({ job, result }: ScoreSlicesShownProps): ReactElement | null {
  const all = slicesOf(result)
  if (all.length === 0) return null
  const left = all.length - MAX_SHOWN
  const drawn = all.slice(0, MAX_SHOWN)
  const differing = drawn.filter(differs)
  const open = drawn.length <= MAX_PLAIN ? drawn : differing
  const rest = drawn.filter((one) => !open.includes(one))
  return (
    <section aria-label="Slices">
      <h2>Slices</h2>
      <p className="soft">
        Each point is the mean of the rows with one value, with its 95 % interval and the number of scores. The dashed
        line is the mean of all rows. ▼ and ▲ mark slices that differ from the rest by more than chance.
        {left > 0 ? ` ${formatInteger(left)} more pictures are left out; results.json has their numbers.` : null}
      </p>
      {open.length === 0 ? <p>No slice differs from the rest by more than chance.</p> : null}
      <SliceCards job={job} all={open} />
      {rest.length === 0 ? null : (
        <Folded title={`${formatCount(rest.length, "picture")} without a difference`}>
          {() => <SliceCards job={job} all={rest} />}
        </Folded>
      )}
    </section>
  )
}

type SlicedScore = ReturnType<typeof slicesOf>[number]

function slicesOf(result: EvaluationResult) {
  return scoresOf(result)
    .flatMap((score) => (score.given.slices ?? []).map((slices) => ({ ...score, slices })))
    .filter(({ slices }) => slices.groups.some(({ scored }) => scored > 0))
}

function differs({ slices: { worst, groups } }: SlicedScore): boolean {
  return worst !== null || groups.some(({ difference }) => difference?.is_marked === true)
}

interface SliceCardsProps {
  readonly job: Pick<EvaluationJob, "id" | "config">
  readonly all: readonly SlicedScore[]
}

function SliceCards({ job: { id, config }, all }: SliceCardsProps): ReactElement {
  return (
    <div className="columns">
      {all.map(({ task, metric, score, name, given, slices }) => (
        <article key={`${task} ${metric} ${score} ${slices.column}`} className="card">
          <h3>
            <span>
              {name} <span className="soft">{task}</span>
            </span>
          </h3>
          <p dir="auto">{sliceSentence(slices)}</p>
          {slices.groups.length === 0 ? null : (
            <Markup of={slicePlot(slices, given, unitOfMetric(config, metric, task))} />
          )}
          {slices.worst === null ? null : (
            <p className="actions">
              <Link
                to="/jobs/$id"
                params={{ id }}
                search={{ tab: "rows", task, sort: `score:${metric}.${score}`, ...rowsOfSlice(slices, slices.worst) }}
                className="button"
              >
                Rows with “{slices.worst}”
              </Link>
            </p>
          )}
        </article>
      ))}
    </div>
  )
}

/** Returns the filter of the rows of a slice. The value of a path inside of fields is found as a text of the row. */
function rowsOfSlice({ column, groups }: ScoreSlices, name: string): { where: string[] } | { q: string } {
  const isValue = groups.some((group) => group.name === name && group.kind === "value")
  const terms = isValue && !column.includes(".") ? termOfValue(`item:${column}`, name) : []
  return terms.length === 0 ? { q: name } : { where: terms.map(formatRowFilterTerm) }
}

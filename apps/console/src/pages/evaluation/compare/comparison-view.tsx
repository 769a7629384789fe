import { formatCount, formatScore } from "@assay/reports"
import type { Comparison } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { Folded } from "../../../components/folded.tsx"
import { badgeOf, comparedScores, meaningOf, splitScores } from "./compared-scores.ts"
import { ComparedRows } from "./compared-rows.tsx"
import { JobMatrix } from "./job-matrix.tsx"
import { ScoreTable } from "./score-table.tsx"
import type { Flip } from "./flips.ts"
import { useJobLabels } from "./use-job-labels.ts"
import { useComparedView } from "./use-compared-view.ts"

const ROWS = "compared-rows"

/** Shows a comparison: the verdict, the differences with their intervals, and the rows that changed. */
export function ComparisonView({ comparison: given }: { readonly comparison: Comparison }): ReactElement {
  const jobs = useJobLabels(given.jobs)
  const comparison = { ...given, jobs }
  const { verdict, margin, warnings, changes = [] } = comparison
  const compared = comparedScores(comparison)
  const { shown, folded } = splitScores(compared)
  const view = useComparedView(comparison, compared)
  const jobNames = new Map(jobs.length > 2 ? jobs.slice(1).map(({ id, name }) => [id, name]) : [])
  const table = {
    jobNames,
    margin,
    onRows: (score: string, job: string, flip: Flip) => {
      view.show({ score, job, flip })
      document.querySelector(`#${ROWS}`)?.scrollIntoView()
    },
  }
  return (
    <>
      <section className={`card answer ${badgeOf(verdict).tone}`}>
        <div>
          <strong>{meaningOf(comparison)}</strong>
          <p>
            Margin {formatScore(margin)}. {formatCount(comparison.changed_rows_total, "row")} changed in a score that
            decides.
          </p>
        </div>
        <Badge {...badgeOf(verdict)} />
      </section>
      <Remarks texts={[...changes, ...warnings]} />
      {view.compared === undefined ? null : (
        <JobMatrix
          comparison={comparison}
          compared={view.compared}
          focus={view.job}
          onFocus={(job) => view.show({ job })}
        />
      )}
      {shown.length === 0 ? null : (
        <section className="card" aria-label="Differences">
          <h2>Differences</h2>
          <ScoreTable compared={shown} {...table} />
          {folded.length === 0 ? null : (
            <Folded title={foldedTitle(folded.map(({ score }) => score.metric))}>
              {() => <ScoreTable compared={folded} {...table} />}
            </Folded>
          )}
        </section>
      )}
      <div id={ROWS} />
      <ComparedRows comparison={comparison} view={view} />
    </>
  )
}

/** Remarks that are read before the numbers. */
const MAX_REMARKS = 2

/** Shows why scores have no verdict, and what else a reader has to know, in one card. */
function Remarks({ texts }: { readonly texts: readonly string[] }): ReactElement | null {
  if (texts.length === 0) return null
  const listed = (some: readonly string[]) =>
    some.map((text) => (
      <p key={text} dir="auto">
        {text}
      </p>
    ))
  const more = texts.slice(MAX_REMARKS)
  return (
    <div className="card condition INCONCLUSIVE">
      {listed(texts.slice(0, MAX_REMARKS))}
      {more.length === 0 ? null : (
        <Folded title={formatCount(more.length, "further remark")}>{() => listed(more)}</Folded>
      )}
    </div>
  )
}

const MAX_NAMED = 4

function foldedTitle(metrics: readonly string[]): string {
  const names = [...new Set(metrics)]
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""
  return `${formatCount(metrics.length, "further score")}: ${names.slice(0, MAX_NAMED).join(", ")}${more}`
}

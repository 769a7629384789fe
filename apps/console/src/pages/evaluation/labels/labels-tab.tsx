import type { EvaluationJob } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { Loading } from "../../../components/loading.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { LabelReportShown } from "./label-report-shown.tsx"
import { LabelRows } from "./label-rows.tsx"
import "./labels.css"

/** Shows what people say about a judge's score: rows to label one after the other, and the judge's mean corrected by the labels. */
export function LabelsTab({ job }: { readonly job: EvaluationJob }): ReactElement {
  const client = useClient()
  const mayEdit = useRights().mayEdit(job.namespace)
  const [chosen, setChosen] = useSearchValue("metric")
  const { data, error } = useQuery({
    queryKey: ["jobs", job.id, "rows", "scores", undefined],
    queryFn: ({ signal }) => client.evaluation.jobs.rows(job.id, { limit: 1 }, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  const metric = chosen ?? data.scores[0]
  if (metric === undefined) return <EmptyState title="No row has a score yet" />
  return (
    <>
      <p className="actions">
        <ChoiceFilter
          label="Score to label"
          choices={namedChoices(data.scores)}
          value={metric}
          onChoose={(name) => setChosen(name)}
        />
        <span className="soft">
          Rows are drawn at random, without the judge&apos;s score. Label them all: a sample with gaps corrects nothing.
        </span>
      </p>
      <div className="label-desk">
        {mayEdit ? (
          <LabelRows key={metric} id={job.id} metric={metric} />
        ) : (
          <NotAllowed needs="editor" workspace={job.namespace}>
            You can read labels, and not add any.
          </NotAllowed>
        )}
        <LabelReportShown id={job.id} metric={metric} />
      </div>
    </>
  )
}

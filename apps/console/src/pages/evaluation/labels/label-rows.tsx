import { formatInteger } from "@assay/reports"
import type { LabelQueue } from "@assay/schemas"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { LabelForm } from "./label-form.tsx"
import { LabelQuestionShown } from "./label-question-shown.tsx"

export interface LabelRowsProps {
  readonly id: string
  readonly metric: string
}

type RowToLabel = LabelQueue["data"][number]

/** Rows that are drawn at once. */
const BATCH = 50

/** Shows the drawn rows one after the other. Each label is kept at once, and the last one can be changed. */
export function LabelRows({ id, metric }: LabelRowsProps): ReactElement {
  const [author, setAuthor] = useState("")
  const { data, error, at, setAt, keep } = useLabelQueue({ id, metric }, author)
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  const row = data.data[at]
  if (row === undefined) return <EmptyState title="Every row has a label" />
  return (
    <section className="card" aria-label="Row to label">
      <header className="actions">
        <h2>
          Row {row.row_index} <span className="soft">{row.task}</span>
        </h2>
        <span className="gap" />
        <span className="soft">
          {formatInteger(data.labelled + at)} of {formatInteger(data.candidates)} labelled
        </span>
      </header>
      <LabelQuestionShown question={data.question} />
      <RowShown row={row} />
      {keep.error === null ? null : <ErrorCard error={keep.error} />}
      <LabelForm
        key={row.digest}
        question={data.question}
        isBusy={keep.isPending}
        author={author}
        onAuthor={setAuthor}
        onLabel={(label, note) => keep.mutate({ row, label, note })}
        onBack={at === 0 ? undefined : () => setAt(at - 1)}
      />
    </section>
  )
}

interface GivenLabel {
  readonly row: RowToLabel
  readonly label: number
  /** Empty: no note. */
  readonly note: string
}

/** Returns a batch of drawn rows, the position in it, and what keeps a label. After the last row, the next batch is drawn. */
function useLabelQueue({ id, metric }: LabelRowsProps, author: string) {
  const { labels } = useClient().evaluation.jobs
  const queries = useQueryClient()
  const [at, setAt] = useState(0)
  const { data, error } = useQuery({
    queryKey: ["jobs", id, "labels", metric, "queue"],
    queryFn: ({ signal }) => labels.next(id, { metric, limit: BATCH }, { signal }),
    // The rows of a batch stay until all of them have a label.
    staleTime: Infinity,
  })
  const keep = useMutation({
    mutationFn: ({ row, label, note }: GivenLabel) => {
      const { task, row_index, repeat } = row
      const one = { task, row_index, repeat, draw: data?.draw ?? null, metric, label, ...(note === "" ? {} : { note }) }
      return labels.add(id, { labels: [one], ...(author === "" ? {} : { author }) })
    },
    onSuccess: async () => {
      const isLast = at + 1 === data?.data.length
      if (isLast) await queries.invalidateQueries({ queryKey: ["jobs", id, "labels", metric, "queue"] })
      setAt(isLast ? 0 : at + 1)
      // Not awaited: the next row takes its label while the report is on its way.
      void queries.invalidateQueries({ queryKey: ["jobs", id, "labels", metric, "report"] })
    },
  })
  return { data, error, at, setAt, keep }
}

/** Renders the item and the output that people judge. */
function RowShown({ row: { item, output } }: { readonly row: RowToLabel }): ReactElement {
  return (
    <>
      <dl className="item-to-label">
        {Object.entries(item).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{valueText(value)}</dd>
          </div>
        ))}
      </dl>
      {output === null ? null : (
        <>
          <h3>Output</h3>
          <p className="output-to-label" dir="auto">
            {output}
          </p>
        </>
      )}
    </>
  )
}

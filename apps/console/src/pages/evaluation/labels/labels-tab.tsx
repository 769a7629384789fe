import type { EvaluationJob, RowsToLabel } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { Loading } from "../../../components/loading.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { AssignRows } from "./assign-rows.tsx"
import { LabelReportShown } from "./label-report-shown.tsx"
import { LabelRows } from "./label-rows.tsx"
import "./labels.css"

const AUTHOR_AT = "assay.label-author"
const ROWS: Readonly<Record<RowsToLabel, string>> = {
  open: "without a label",
  others: "labelled by others",
  disputed: "with different labels",
}

/** Shows what people say about a judge's score: rows to label one after the other, and the judge's mean corrected by the labels. */
export function LabelsTab({ job }: { readonly job: EvaluationJob }): ReactElement {
  const client = useClient()
  const mayEdit = useRights().mayEdit(job.namespace)
  const [chosen, setChosen] = useSearchValue("metric")
  const [rows, setRows] = useSearchValue("rows")
  const { author, isNamed, keepAuthor } = useAuthor()
  const wanted = rows !== undefined && Object.hasOwn(ROWS, rows) ? (rows as RowsToLabel) : "open"
  const { data, error } = useQuery({
    queryKey: ["jobs", job.id, "rows", "scores", undefined],
    queryFn: ({ signal }) => client.evaluation.jobs.rows(job.id, { limit: 1 }, { signal }),
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === undefined) return <Loading />
  const metric = chosen ?? scoreToLabel(job.config, data.scores)
  if (metric === undefined) return <EmptyState title="No row has a score yet" />
  return (
    <>
      <p className="actions label-choices">
        <ChoiceFilter
          label="Score to label"
          choices={namedChoices(data.scores)}
          value={metric}
          onChoose={(name) => setChosen(name)}
        />
        <ChoiceFilter
          label="Rows to label"
          choices={ROWS}
          value={rows ?? "open"}
          onChoose={(next) => setRows(next === "open" ? undefined : next)}
        />
        <AuthorField key={author} author={author} onAuthor={keepAuthor} />
        {mayEdit ? <AssignRows id={job.id} metric={metric} /> : null}
        <span className="soft">
          Rows come in a random order, without the judge&apos;s score. Leave none out: <kbd>u</kbd> is for those that
          you are unsure of. Stop whenever the interval is narrow enough.
        </span>
      </p>
      {/* Where the focus goes when a field is left: keys label from there. */}
      <div className="label-desk" tabIndex={-1}>
        {mayEdit ? (
          <LabelRows
            key={`${metric} ${wanted} ${author}`}
            job={job}
            metric={metric}
            rows={wanted}
            author={author}
            askName={isNamed ? undefined : <NameAsked onDecline={() => keepAuthor("")} />}
          />
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

/** Metrics that ask a model how good an answer is. */
const JUDGES = new Set(["llm-judge", "g-eval", "pairwise"])

/** Returns the score that people are asked about first: that of a judge, because exact checks need no labels. */
function scoreToLabel({ tasks = {} }: EvaluationJob["config"], scores: readonly string[]): string | undefined {
  const metrics = Object.values(tasks).flatMap((task) => Object.entries(task.metrics ?? {}))
  const judged = metrics.flatMap(([name, { type }]) => (JUDGES.has(type) ? [`${name}.`] : []))
  return scores.find((score) => judged.some((start) => score.startsWith(start))) ?? scores[0]
}

/** Returns the name under which labels are kept: that of a link, or the one that the browser remembers. */
function useAuthor() {
  const [linked, setLinked] = useSearchValue("author")
  const [kept, setKept] = useState(() => localStorage.getItem(AUTHOR_AT))
  return {
    author: linked ?? kept ?? "",
    /** Whether the user has said under which name, or under none. */
    isNamed: (linked ?? kept) !== null,
    keepAuthor: (name: string) => {
      if (linked !== undefined) setLinked(undefined)
      setKept(name)
      localStorage.setItem(AUTHOR_AT, name)
    },
  }
}

/** Asks for a name before the first label: one that is kept without a name can't be told from those of other people. */
function NameAsked({ onDecline }: { readonly onDecline: () => void }): ReactElement {
  return (
    <form>
      <p className="actions">
        <span>Write your name above, so that labels of different people can be compared.</span>
        <button
          type="button"
          className="quiet"
          onClick={({ currentTarget }) => {
            currentTarget.closest<HTMLElement>(".label-desk")?.focus({ preventScroll: true })
            onDecline()
          }}
        >
          Label without a name
        </button>
      </p>
    </form>
  )
}

interface AuthorFieldProps {
  readonly author: string
  readonly onAuthor: (author: string) => void
}

/** Renders the name that labels are kept under. It counts once the field is left, because each name has a queue of its own. */
function AuthorField({ author, onAuthor }: AuthorFieldProps): ReactElement {
  const [text, setText] = useState(author)
  const use = () => {
    if (text.trim() !== author) onAuthor(text.trim())
  }
  return (
    <label className="author">
      Your name{" "}
      <input
        value={text}
        maxLength={200}
        autoComplete="name"
        onChange={({ target }) => setText(target.value)}
        onBlur={use}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== "Enter") return
          use()
          currentTarget.ownerDocument.querySelector<HTMLElement>(".label-desk")?.focus({ preventScroll: true })
        }}
      />
    </label>
  )
}

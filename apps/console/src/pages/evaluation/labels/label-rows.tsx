import { formatInteger } from "@assay/reports"
import type { EvaluationJob, LabelQueue, RowsToLabel } from "@assay/schemas"
import type { ReactElement } from "react"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { ConversationToLabel } from "./conversation-to-label.tsx"
import { LabelForm } from "./label-form.tsx"
import { LabelQuestionShown } from "./label-question-shown.tsx"
import { LabelsOfOthers } from "./labels-of-others.tsx"
import { RowToLabel } from "./row-to-label.tsx"
import { useLabelQueue } from "./use-label-queue.ts"

export interface LabelRowsProps {
  readonly job: EvaluationJob
  readonly metric: string
  readonly rows: RowsToLabel
  /** Empty: nobody is named. */
  readonly author: string
  /** The question for a name. It takes the place of the answers until the user has one, or wants none. */
  readonly askName: ReactElement | undefined
}

const NOTHING_LEFT: Readonly<Record<RowsToLabel, string>> = {
  open: "Every row has a label",
  others: "You have labelled every row that others labelled",
  disputed: "No row is left with different labels",
}

/** Shows the drawn rows one after the other. Each label is kept at once, and the last one can be taken back. */
export function LabelRows({ job, metric, rows, author, askName }: LabelRowsProps): ReactElement {
  const { id } = job
  const { data, error, row, done, isBusy, keep, undo } = useLabelQueue({ id, metric, rows, author })
  if (data === undefined) return error === null ? <Loading /> : <ErrorCard error={error} />
  if (row === undefined)
    return <EmptyState title={data.candidates === 0 ? `No row has a score of ${metric}` : NOTHING_LEFT[rows]} />
  return (
    <section className="card" aria-label="Row to label">
      <header className="actions">
        <h2>
          Row {row.row_index} <span className="soft">{row.task}</span>
        </h2>
        <span className="gap" />
        <Progress queue={data} done={rows === "open" ? done : NONE_DONE} />
      </header>
      <LabelQuestionShown question={data.question} />
      {job.config.tasks?.[row.task]?.type === "conversation" ? (
        <ConversationToLabel id={id} row={row} />
      ) : (
        <RowToLabel config={job.config} row={row} />
      )}
      {rows === "disputed" ? (
        <LabelsOfOthers id={id} metric={metric} digest={row.digest} question={data.question} />
      ) : null}
      {error === null ? null : <ErrorCard error={error} />}
      {askName ?? (
        <LabelForm
          digest={row.digest}
          question={data.question}
          isBusy={isBusy}
          onLabel={(label, note) => keep({ row, label, note })}
          onUndo={undo}
        />
      )}
    </section>
  )
}

/** Labels of rows that others labelled change no number of rows. */
const NONE_DONE = { labelled: 0, unsure: 0 }

interface ProgressProps {
  readonly queue: LabelQueue
  readonly done: typeof NONE_DONE
}

function Progress({ queue, done }: ProgressProps): ReactElement {
  const { labelled, candidates } = queue
  const unsure = (queue.unsure ?? 0) + done.unsure
  const now = Math.min(candidates, labelled + done.labelled)
  return (
    <span className="soft label-progress">
      {formatInteger(now)} of {formatInteger(candidates)} labelled
      {unsure === 0 ? "" : `, ${formatInteger(unsure)} unsure`}
      <ProgressBar percent={candidates === 0 ? 0 : (100 * now) / candidates} label="Rows with a label" />
    </span>
  )
}

import { formatInteger } from "@assay/reports"
import type { EvaluationJob, LabelQueue, RowsToLabel } from "@assay/schemas"
import type { ReactElement } from "react"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { ConversationShown } from "../../../texts/conversation-shown.tsx"
import { readConversation } from "../../../texts/conversation.ts"
import { RichText } from "../../../texts/rich-text.tsx"
import { ConversationToLabel } from "./conversation-to-label.tsx"
import { LabelForm } from "./label-form.tsx"
import { LabelQuestionShown } from "./label-question-shown.tsx"
import { LabelsOfOthers } from "./labels-of-others.tsx"
import { useLabelQueue, type RowToLabel } from "./use-label-queue.ts"

export interface LabelRowsProps {
  readonly job: EvaluationJob
  readonly metric: string
  readonly rows: RowsToLabel
  /** Empty: nobody is named. */
  readonly author: string
}

const NOTHING_LEFT: Readonly<Record<RowsToLabel, string>> = {
  open: "Every row has a label",
  others: "You have labelled every row that others labelled",
  disputed: "No row is left with different labels",
}

/** Shows the drawn rows one after the other. Each label is kept at once, and the last one can be taken back. */
export function LabelRows({ job, metric, rows, author }: LabelRowsProps): ReactElement {
  const { id } = job
  const { data, error, row, done, isBusy, keep, undo } = useLabelQueue({ id, metric, rows, author })
  if (data === undefined) return error === null ? <Loading /> : <ErrorCard error={error} />
  if (row === undefined) return <EmptyState title={NOTHING_LEFT[rows]} />
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
        <RowShown row={row} />
      )}
      {rows === "disputed" ? (
        <LabelsOfOthers id={id} metric={metric} digest={row.digest} question={data.question} />
      ) : null}
      {error === null ? null : <ErrorCard error={error} />}
      <LabelForm
        digest={row.digest}
        question={data.question}
        isBusy={isBusy}
        onLabel={(label, note) => keep({ row, label, note })}
        onUndo={undo}
      />
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

/** Renders the item and the output that people judge. */
function RowShown({ row: { item, output, pair } }: { readonly row: RowToLabel }): ReactElement {
  return (
    <>
      <dl className="facts-to-label">
        {Object.entries(item)
          .filter(isShort)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt> <dd dir="auto">{valueText(value)}</dd>
            </div>
          ))}
      </dl>
      <dl className="item-to-label">
        {Object.entries(item).map(([name, value]) => {
          if (isShort([name, value])) return null
          const messages = readConversation(value)
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {messages === undefined ? (
                  <RichText text={valueText(value)} label={name} />
                ) : (
                  <ConversationShown messages={messages} />
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {pair !== undefined ? (
        <div className="pair-to-label">
          <AnswerOfPair name="A" text={pair.a} />
          <AnswerOfPair name="B" text={pair.b} />
        </div>
      ) : output === null ? null : (
        <>
          <h3>Answer</h3>
          <div className="output-to-label">
            <RichText text={output} label="the answer" />
          </div>
        </>
      )}
    </>
  )
}

/** Characters of a value that stands in a line with others, so that what is judged stays in sight. */
const MAX_SHORT = 24

function isShort([, value]: readonly [string, unknown]): boolean {
  const text = typeof value === "object" && value !== null ? undefined : valueText(value)
  return text !== undefined && text.length <= MAX_SHORT && !text.includes("\n")
}

/** Renders one of two answers. Neither of them is marked as the one of the job. */
function AnswerOfPair({ name, text }: { readonly name: "A" | "B"; readonly text: string }): ReactElement {
  return (
    <section aria-label={`Answer ${name}`}>
      <h3>Answer {name}</h3>
      <div className="output-to-label">
        <RichText text={text} label={`answer ${name}`} />
      </div>
    </section>
  )
}

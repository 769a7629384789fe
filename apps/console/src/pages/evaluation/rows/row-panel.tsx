import type { EvaluationJob, RowAttempt, RowAttempts } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { CodeBlock } from "../../../components/code-block.tsx"
import { CopyButton } from "../../../components/copy-button.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Folded } from "../../../components/folded.tsx"
import { Loading } from "../../../components/loading.tsx"
import { AttemptShown } from "./attempt-shown.tsx"
import type { RowLimit } from "./failing-rows.ts"
import "./row-panel.css"
import { MakeTest } from "./test/make-test.tsx"

/** A row of a job, whatever list it is in. */
export interface RowAddress {
  readonly task: string
  readonly index: number
  readonly repeat: number
}

export interface RowPanelProps {
  readonly job: EvaluationJob
  readonly row: RowAddress
  readonly limits: readonly RowLimit[]
  readonly onStep: (step: 1 | -1) => void
  readonly onNextFailing: (step: 1 | -1) => void
  readonly onClose: () => void
}

/** Shows everything about one row: what judges said of it, its answer against the reference, its prompt, and its item. */
export function RowPanel({ job, row, limits, onStep, onNextFailing, onClose }: RowPanelProps): ReactElement {
  const client = useClient()
  const { task, index } = row
  const panel = useRef<HTMLElement>(null)
  const { data, error } = useQuery({
    queryKey: ["jobs", job.id, "row", task, index],
    queryFn: ({ signal }) => client.evaluation.jobs.row(job.id, { task, index }, { signal }),
  })
  useEffect(() => {
    // The next row is read from its beginning.
    panel.current?.scrollTo(0, 0)
  }, [task, index])
  return (
    <aside className="card attempts row-panel" aria-label={`Row ${index}`} ref={panel}>
      <header className="actions">
        <h2>Row {index}</h2>
        <span className="soft">{task}</span>
        <span className="gap" />
        <button
          type="button"
          className="quiet"
          title="Previous row (k)"
          aria-label="Previous row"
          onClick={() => onStep(-1)}
        >
          ↑
        </button>
        <button type="button" className="quiet" title="Next row (j)" aria-label="Next row" onClick={() => onStep(1)}>
          ↓
        </button>
        <button type="button" className="quiet" title="Next failing row (n)" onClick={() => onNextFailing(1)}>
          Next failing <kbd>n</kbd>
        </button>
        <CopyButton label="Copy link" what={`to row ${index}`} text={() => linkTo(job.id, row)} />
        <button type="button" className="quiet" title="Close (Escape)" onClick={onClose}>
          Close
        </button>
      </header>
      {error === null ? null : <ErrorCard error={error} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined ? null : <RowShown job={job} data={data} repeat={row.repeat} limits={limits} />}
    </aside>
  )
}

/** Returns the address of a row alone: it shows the same row, however the list is sorted and filtered. */
function linkTo(job: string, { task, index }: RowAddress): string {
  const query = new URLSearchParams({ tab: "rows", task: JSON.stringify(task), row: String(index) })
  return `${location.origin}/jobs/${job}?${query}`
}

interface RowShownProps {
  readonly job: EvaluationJob
  readonly data: RowAttempts
  readonly repeat: number
  readonly limits: readonly RowLimit[]
}

/** Shows the attempt that counts, and the others folded below it. */
function RowShown({ job, data: { task, row_index: index, attempts }, repeat, limits }: RowShownProps): ReactElement {
  const counts = attempts.findLast((attempt) => attempt.repeat === repeat) ?? attempts.at(-1)
  if (counts === undefined) return <p className="soft">The row has no answer yet.</p>
  const config = job.config.tasks?.[task]
  return (
    <>
      <AttemptShown attempt={counts} task={config} limits={limits} conditions={job.conditions} />
      <MakeTest job={job.id} attempt={counts} key={`${task} ${index} ${counts.repeat}`} />
      <Folded title="Item as JSON">
        {() => <CodeBlock label={`item of row ${index}`} text={JSON.stringify(counts.item, null, 2)} />}
      </Folded>
      {attempts
        .filter((attempt) => attempt !== counts)
        .map((attempt) => (
          <Folded key={`${attempt.repeat} ${attempt.attempt}`} title={titleOf(attempt)}>
            {() => <AttemptShown attempt={attempt} task={config} limits={limits} conditions={job.conditions} />}
          </Folded>
        ))}
    </>
  )
}

function titleOf({ repeat, attempt }: RowAttempt): string {
  return `Repeat ${repeat}, attempt ${attempt}`
}

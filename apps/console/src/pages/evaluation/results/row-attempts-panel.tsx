import { formatInteger, formatScore } from "@assay/reports"
import type { RowAttempt, ScoredRow } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { CodeBlock } from "../../../components/code-block.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { RowRequestsShown } from "./row-requests.tsx"

export interface RowAttemptsPanelProps {
  readonly id: string
  readonly row: ScoredRow
  readonly onClose: () => void
}

/** Shows everything about one row: its item, and each attempt with its answer, scores and what judges said. */
export function RowAttemptsPanel({ id, row, onClose }: RowAttemptsPanelProps): ReactElement {
  const client = useClient()
  const { task, row_index: index } = row
  const { data, error } = useQuery({
    queryKey: ["jobs", id, "row", task, index],
    queryFn: ({ signal }) => client.evaluation.jobs.row(id, { task, index }, { signal }),
  })
  return (
    <aside className="card attempts" aria-label={`Row ${index}`}>
      <header className="actions">
        <h2>Row {index}</h2>
        <span className="soft">{task}</span>
        <span className="gap" />
        <button type="button" className="quiet" onClick={onClose}>
          Close
        </button>
      </header>
      <h3>Item</h3>
      <CodeBlock label={`item of row ${index}`} text={JSON.stringify(row.item, null, 2)} />
      {error === null ? null : <ErrorCard error={error} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data?.attempts.map((attempt) => (
        <Attempt key={`${attempt.repeat} ${attempt.attempt}`} attempt={attempt} isOnly={data.attempts.length === 1} />
      ))}
    </aside>
  )
}

function Attempt({ attempt, isOnly }: { readonly attempt: RowAttempt; readonly isOnly: boolean }): ReactElement {
  const { repeat, attempt: number, output, error, scores, unreadable, latency_ms, finish_reason } = attempt
  const { requests, response } = attempt
  const values = Object.entries(scores).flatMap(([metric, found]) =>
    Object.entries(found).map(([score, value]) => ({ name: metric === score ? metric : `${metric}.${score}`, value })),
  )
  return (
    <section>
      <h3>{isOnly ? "Answer" : `Repeat ${repeat}, attempt ${number}`}</h3>
      <p className="soft">
        {[latency_ms === null ? "" : `${formatInteger(Math.round(latency_ms))} ms`, finish_reason ?? ""]
          .filter((part) => part !== "")
          .join(", ")}
      </p>
      {error === null ? null : (
        <p>
          <code>{error.code}</code> <span dir="auto">{error.message}</span>
        </p>
      )}
      {output === null ? null : <CodeBlock label="answer" text={output} />}
      {values.length === 0 ? null : (
        <table>
          <tbody>
            {values.map(({ name, value }) => (
              <tr key={name}>
                <th>{name}</th>
                <td className="end">{formatScore(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {Object.entries(unreadable ?? {}).map(([metric, { reason, raw }]) => (
        <div key={metric}>
          <p>
            <b>{metric}</b> has no score: <span dir="auto">{reason}</span>
          </p>
          <CodeBlock label={`what the judge of ${metric} said`} text={raw} />
        </div>
      ))}
      {requests.map((asked) => (
        <RowRequestsShown key={asked.metric ?? ""} {...asked} />
      ))}
      {response === null || response === undefined ? null : (
        <details>
          <summary>Whole response</summary>
          <CodeBlock label="response" text={JSON.stringify(response, null, 2)} />
        </details>
      )}
    </section>
  )
}

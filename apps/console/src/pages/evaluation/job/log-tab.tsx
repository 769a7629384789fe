import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"

const TAIL = 2000

export interface LogTabProps {
  readonly id: string
  readonly isRunning: boolean
}

/** Shows the log of a job: its last lines, and further ones while it runs. */
export function LogTab({ id, isRunning }: LogTabProps): ReactElement {
  const client = useClient()
  const { data, error } = useQuery({
    // The log is read once more when the job has ended.
    queryKey: ["jobs", id, "log", isRunning],
    queryFn: async ({ signal }) => {
      let text = ""
      const decoder = new TextDecoder()
      for await (const piece of client.evaluation.jobs.logs(id, { tail: TAIL, signal })) {
        text += decoder.decode(piece, { stream: true })
      }
      return text
    },
    placeholderData: (before) => before,
  })
  if (error !== null) return <ErrorCard error={error} />
  if (data === "") return <EmptyState title="The log is empty so far" />
  return (
    <>
      <p className="actions">
        <a className="button" href={`/v1/evaluation/jobs/${encodeURIComponent(id)}/logs`} download>
          Download all logs
        </a>
        <span className="soft">The last {TAIL} lines</span>
      </p>
      <pre className="log" tabIndex={0} aria-label="Log" dir="auto">
        {data}
      </pre>
    </>
  )
}

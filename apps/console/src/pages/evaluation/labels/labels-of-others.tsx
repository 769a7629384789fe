import { formatScore } from "@assay/reports"
import type { LabelQuestion } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"

export interface LabelsOfOthersProps {
  readonly id: string
  readonly metric: string
  /** The row. */
  readonly digest: string
  readonly question: LabelQuestion
}

/** Shows the labels of a row that differ, with their authors and notes. */
export function LabelsOfOthers({ id, metric, digest, question }: LabelsOfOthersProps): ReactElement | null {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ["jobs", id, "labels", metric, "report", "list"],
    queryFn: ({ signal }) => client.evaluation.jobs.labels.list(id, { metric }, { signal }),
  })
  const given = data?.data.filter((row) => row.digest === digest) ?? []
  const last = [...new Map(given.map((row) => [row.author, row])).values()]
  const shown = last.filter(({ withdrawn }) => withdrawn !== true)
  if (shown.length === 0) return null
  return (
    <section aria-label="Labels so far">
      <h3>Labels so far</h3>
      <ul>
        {shown.map(({ author, label, note }) => (
          <li key={author ?? ""}>
            <bdi>{author ?? "without a name"}</bdi>: {label === null ? "unsure" : wordOf(label, question)}
            {note === undefined ? null : (
              <>
                {" "}
                – <span dir="auto">{note}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function wordOf(label: number, { rubric }: LabelQuestion): string {
  const word = rubric.find(({ value }) => value === label)?.label
  return word === undefined ? formatScore(label) : `${word} (${formatScore(label)})`
}

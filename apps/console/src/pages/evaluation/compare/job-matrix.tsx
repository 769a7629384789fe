import type { Comparison, EvaluationJob } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { formatEvenScore } from "../../../numbers/even-score.ts"
import { nameOfTarget } from "../jobs/job-names.ts"
import { badgeOf, signed, type ComparedScore } from "./compared-scores.ts"
import { partingTexts, promptOf } from "./prompt-of-job.ts"

export interface JobMatrixProps {
  readonly comparison: Comparison
  readonly compared: ComparedScore
  /** The id of the job whose rows are shown. */
  readonly focus: string
  readonly onFocus: (id: string) => void
}

/** Shows one score of several jobs as a matrix of their prompts and models. A cell shows the rows of its job. */
export function JobMatrix(props: JobMatrixProps): ReactElement | null {
  const client = useClient()
  const { comparison, compared } = props
  const answers = useQueries({
    queries: comparison.jobs.map(({ id }) => ({
      queryKey: ["jobs", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.evaluation.jobs.get(id, { signal }),
    })),
  })
  const jobs = answers.flatMap(({ data }) => data ?? [])
  if (jobs.length < 3) return null
  const models = [...new Set(jobs.map(nameOfTarget))]
  const prompts = [...new Set(jobs.map(promptOf))]
  const shown = partingTexts(prompts)
  if (models.length === 1 && prompts.length === 1) return null
  return (
    <section className="card" aria-label="Matrix of prompts and models">
      <h2>Prompts and models</h2>
      <p className="soft">{compared.name} of each job, and its difference from the baseline.</p>
      <div className="plot-scroll" role="group" aria-label="Matrix" tabIndex={0}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">Prompt</th>
              {models.map((model) => (
                <th key={model} scope="col">
                  {model}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prompts.map((prompt, at) => (
              <tr key={prompt}>
                <th scope="row" title={prompt}>
                  <span className="cut">{prompt === "" ? "no prompt" : shown[at]}</span>
                </th>
                {models.map((model) => (
                  <td key={model}>
                    {jobs
                      .filter((job) => nameOfTarget(job) === model && promptOf(job) === prompt)
                      .map((job) => (
                        <MatrixCell key={job.id} job={job} {...props} />
                      ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function MatrixCell({
  job: { id },
  comparison,
  compared: { score },
  focus,
  onFocus,
}: JobMatrixProps & { readonly job: EvaluationJob }): ReactElement {
  const at = comparison.jobs.findIndex((one) => one.id === id)
  const value = score.values[at]
  const pair = score.pairs.find(({ job }) => job === id)
  const shown = typeof value === "number" ? formatEvenScore(value) : "–"
  if (pair === undefined) {
    return (
      <span className="cell">
        <b>{shown}</b> <small>{at === 0 ? "baseline" : "not compared"}</small>
      </span>
    )
  }
  const { text, tone } = badgeOf(pair.verdict)
  return (
    <button
      type="button"
      className={score.decides ? `cell ${tone}` : "cell"}
      aria-pressed={focus === id}
      onClick={() => onFocus(id)}
    >
      <b>{shown}</b> <small>{signed(pair.difference)}</small>{" "}
      <small className="verdict-word">{score.decides ? text : ""}</small>
    </button>
  )
}

import type { Baseline, EvaluationJob } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { Time } from "../../../components/times/time.tsx"
import { nameOfJob } from "../jobs/job-names.ts"
import { earlierJob } from "./earlier-job.ts"

const LOOKED_AT = 200
const MAX_BASELINES = 6

export interface BaselineProposalsProps {
  /** The id of the job that needs a baseline. */
  readonly job: string
  readonly onChoose: (id: string) => void
}

/** Proposes baselines for a job: those that its workspace has stored, and the latest earlier job that did the same. Chooses none. */
export function BaselineProposals({ job: id, onChoose }: BaselineProposalsProps): ReactElement {
  const client = useClient()
  const { data: job, error } = useQuery({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) => client.evaluation.jobs.get(id, { signal }),
  })
  const workspace = job?.namespace ?? ""
  const { data: stored } = useQuery({
    queryKey: ["jobs", "baselines", workspace],
    queryFn: ({ signal }) => client.evaluation.baselines.list(workspace, { signal }),
    enabled: job !== undefined,
  })
  const { data: others } = useQuery({
    queryKey: ["jobs", "completed", workspace],
    queryFn: ({ signal }) => {
      const filter = { status: "COMPLETED", namespace: workspace }
      return client.evaluation.jobs.page({ page_size: LOOKED_AT, sort: "-created_at", filter }, { signal })
    },
    enabled: job !== undefined,
  })
  // A job that was deleted. The reason is said once, whichever read has failed.
  if (error !== null) return <ErrorCard error={error} />
  if (job === undefined || stored === undefined || others === undefined) return <Loading />
  const baselines = stored.data.filter((one) => one.job !== id).slice(0, MAX_BASELINES)
  const earlier = earlierJob(job, others.data)
  return (
    <section className="card" aria-label="Proposed baselines">
      <h2>Choose the baseline</h2>
      {baselines.length === 0 && earlier === undefined ? (
        <p className="soft">
          The workspace has no stored baseline, and no earlier job with the same configuration and dataset. Choose any
          completed job above.
        </p>
      ) : (
        <ul className="proposals">
          {baselines.map((one) => (
            <StoredBaseline key={one.name} baseline={one} onChoose={onChoose} />
          ))}
          {earlier === undefined ? null : <EarlierJob job={earlier} onChoose={onChoose} />}
        </ul>
      )}
    </section>
  )
}

interface StoredBaselineProps {
  readonly baseline: Baseline
  readonly onChoose: (id: string) => void
}

function StoredBaseline({ baseline: { name, job, updated_at }, onChoose }: StoredBaselineProps): ReactElement {
  return (
    <li>
      <button type="button" onClick={() => onChoose(job)}>
        Compare with “{name}”
      </button>
      <span className="soft">
        the stored baseline, set <Time at={updated_at} />: <span className="mono">{job}</span>
      </span>
    </li>
  )
}

interface EarlierJobProps {
  readonly job: EvaluationJob
  readonly onChoose: (id: string) => void
}

function EarlierJob({ job, onChoose }: EarlierJobProps): ReactElement {
  return (
    <li>
      <button type="button" onClick={() => onChoose(job.id)}>
        Compare with {nameOfJob(job)}
      </button>
      <span className="soft">
        the latest earlier job with the same configuration and dataset, launched <Time at={job.created_at} />:{" "}
        <span className="mono">{job.id}</span>
      </span>
    </li>
  )
}

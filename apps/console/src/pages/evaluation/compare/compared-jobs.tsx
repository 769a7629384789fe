import { formatInteger } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { choiceOfJob, choicesOfJobs, nameOfTarget } from "../jobs/job-names.ts"
import "./pickers.css"
import { MAX_JOBS, type ComparedChoice } from "./use-compared-jobs.ts"

const OFFERED = 200

/** Renders the fields that choose the baseline, the jobs that are compared with it, and the margin. */
export function ComparedJobs({ choice }: { readonly choice: ComparedChoice }): ReactElement {
  const client = useClient()
  const { a, jobs, margin, setA, setJobs, setMargin } = choice
  const { data, error } = useQuery({
    queryKey: ["jobs", "completed"],
    queryFn: ({ signal }) =>
      client.evaluation.jobs.page({ page_size: OFFERED, filter: { status: "COMPLETED" } }, { signal }),
  })
  const offered = data?.data ?? []
  const total = data?.pagination?.total_results ?? 0
  const slots: readonly (string | undefined)[] = jobs.length === 0 ? [undefined] : jobs
  const replace = (at: number, id: string | undefined) =>
    setJobs(
      id === undefined ? jobs.filter((_, index) => index !== at) : [...jobs.slice(0, at), id, ...jobs.slice(at + 1)],
    )
  return (
    <>
      <section className="card pickers" aria-label="Compared jobs">
        <JobPicker label="Baseline" value={a} jobs={offered} onChange={setA} />
        {slots.map((id, at) => {
          const label = at === 0 ? "Compared with it" : `Compared with it, job ${at + 1}`
          const key = `job ${at}`
          return <JobPicker key={key} label={label} value={id} jobs={offered} onChange={(next) => replace(at, next)} />
        })}
        <div className="of-all">
          {jobs.length === 0 || jobs.length >= MAX_JOBS ? null : (
            <JobPicker
              label="Add a job"
              value={undefined}
              jobs={offered.filter(({ id }) => id !== a && !jobs.includes(id))}
              onChange={(next) => replace(jobs.length, next)}
            />
          )}
          <label className="field">
            Margin
            <input
              inputMode="decimal"
              value={margin.text}
              aria-invalid={!margin.isValid}
              onChange={({ target }) => setMargin(target.value)}
            />
            <small>How much worse a score may be and still pass.</small>
          </label>
        </div>
        {total > OFFERED ? (
          <p className="soft">
            The newest {OFFERED} of {formatInteger(total)} completed jobs are offered. The page of any other one leads
            here.
          </p>
        ) : null}
      </section>
      {error === null ? null : <ErrorCard error={error} />}
    </>
  )
}

interface JobPickerProps {
  readonly label: string
  readonly value: string | undefined
  readonly jobs: readonly EvaluationJob[]
  readonly onChange: (id: string | undefined) => void
}

function JobPicker({ label, value, jobs, onChange }: JobPickerProps): ReactElement {
  const id = useId()
  const client = useClient()
  const listed = jobs.find((job) => job.id === value)
  const isListed = value === undefined || listed !== undefined
  // A job that has failed, or that is older than those in the list, is named too.
  const { data: other } = useQuery({
    queryKey: ["jobs", value],
    queryFn: ({ signal }) => client.evaluation.jobs.get(value ?? "", { signal }),
    enabled: !isListed,
    retry: false,
  })
  const chosen = listed ?? (isListed ? undefined : other)
  const words = choicesOfJobs(jobs)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        title={chosen === undefined ? undefined : choiceOfJob(chosen)}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      >
        <option value="">{value === undefined ? "choose a job …" : "none"}</option>
        {isListed ? null : <option value={value}>{chosen === undefined ? value : choiceOfJob(chosen)}</option>}
        {jobs.map((job) => (
          <option key={job.id} value={job.id}>
            {words.get(job.id)}
          </option>
        ))}
      </select>
      {chosen === undefined ? null : (
        <small>
          <Link to="/jobs/$id" params={{ id: chosen.id }}>
            {nameOfTarget(chosen)}
          </Link>
          , {chosen.created_at.slice(0, "2026-11-30T09:30".length).replace("T", " ")}
        </small>
      )}
    </div>
  )
}

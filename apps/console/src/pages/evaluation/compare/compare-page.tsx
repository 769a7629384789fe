import { formatInteger } from "@assay/reports"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { EvaluationJob } from "@assay/schemas"
import { useId, type ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { nameOfJob, nameOfTarget } from "../jobs/job-names.ts"
import "./compare.css"
import { ComparisonView } from "./comparison-view.tsx"

const OFFERED = 200

/** Compares two finished jobs row by row: is the second one worse, better, or is that not known yet? */
export function ComparePage(): ReactElement {
  const client = useClient()
  const [a] = useSearchValue("a")
  const [b] = useSearchValue("b")
  const [margin] = useMargin()
  const comparison = useQuery({
    queryKey: ["jobs", "compare", a, b, margin.value],
    queryFn: ({ signal }) => client.evaluation.compare([a ?? "", b ?? ""], { margin: margin.value, signal }),
    enabled: a !== undefined && b !== undefined && margin.isValid,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <>
      <PageHeader title="Compare">Two jobs over the same rows, with paired intervals.</PageHeader>
      <ComparedJobs />
      {comparison.error === null ? null : <ErrorCard error={comparison.error} />}
      {comparison.isFetching && comparison.data === undefined ? <Loading what="Comparing row by row" /> : null}
      {a === undefined || b === undefined ? (
        <EmptyState
          title={a === b ? "Choose two jobs" : a === undefined ? "Choose the baseline" : "Choose the job to compare"}
          command={`assay eval compare ${a ?? "BASELINE"} ${b ?? "JOB"}`}
        >
          <p>Both have to be completed. They are compared over the rows that both answered.</p>
        </EmptyState>
      ) : null}
      {comparison.data === undefined || a === undefined || b === undefined ? null : (
        <ComparisonView comparison={comparison.data} />
      )}
    </>
  )
}

/** Returns the margin in the address, and the function that changes its text. */
function useMargin() {
  const [text = "0", setText] = useSearchValue("margin")
  const value = Number(text)
  const isValid = Number.isFinite(value) && value >= 0
  return [{ text, value, isValid }, (next: string) => setText(next === "0" ? undefined : next)] as const
}

/** Renders the fields that choose both jobs and the margin. */
function ComparedJobs(): ReactElement {
  const client = useClient()
  const [a, setA] = useSearchValue("a")
  const [b, setB] = useSearchValue("b")
  const [margin, setMargin] = useMargin()
  const { data, error } = useQuery({
    queryKey: ["jobs", "completed"],
    queryFn: ({ signal }) =>
      client.evaluation.jobs.page({ page_size: OFFERED, filter: { status: "COMPLETED" } }, { signal }),
  })
  const offered = data?.data ?? []
  const total = data?.pagination?.total_results ?? 0
  return (
    <>
      <section className="card pickers" aria-label="Compared jobs">
        <JobPicker label="Baseline" value={a} jobs={offered} onChange={setA} />
        <JobPicker label="Compared with it" value={b} jobs={offered} onChange={setB} />
        {total > OFFERED ? (
          <p className="soft">
            The newest {OFFERED} of {formatInteger(total)} completed jobs are offered. The page of any other one leads
            here.
          </p>
        ) : null}
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
  const isListed = value === undefined || jobs.some((job) => job.id === value)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
      >
        <option value="">choose a job …</option>
        {isListed ? null : <option value={value}>{value}</option>}
        {jobs.map((job) => (
          <option key={job.id} value={job.id}>
            {nameOfJob(job)} · {nameOfTarget(job)} · {job.created_at.slice(0, 16).replace("T", " ")}
          </option>
        ))}
      </select>
    </div>
  )
}

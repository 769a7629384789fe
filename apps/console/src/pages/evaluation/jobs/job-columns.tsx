import { formatDuration, formatInteger } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"
import { durationOf, nameOfJob, nameOfTarget } from "./job-names.ts"
import { hasEnded, JobStatusBadge } from "./job-status.tsx"

/** The columns of a listing of jobs. */
export const JOB_COLUMNS: readonly Column<EvaluationJob>[] = [
  {
    id: "name",
    title: "Job",
    width: "minmax(12rem, 3fr)",
    render: (job) => (
      <Link to="/jobs/$id" params={{ id: job.id }} title={job.id}>
        {nameOfJob(job)}
      </Link>
    ),
    text: ({ id }) => id,
  },
  {
    id: "status",
    title: "Status",
    width: "9rem",
    render: ({ status }) => <JobStatusBadge status={status} />,
    text: ({ status }) => status,
  },
  {
    id: "progress",
    title: "Rows",
    width: "9rem",
    align: "end",
    render: ({ status, status_details: { samples_processed: done, samples_total: total, progress } }) =>
      hasEnded(status) || done === undefined ? (
        formatInteger(done ?? 0)
      ) : (
        <>
          {formatInteger(done)} of {typeof total === "number" ? formatInteger(total) : "?"}
          <ProgressBar percent={progress} label="Rows that are done" />
        </>
      ),
    text: ({ status_details }) => status_details.samples_processed ?? null,
  },
  {
    id: "conditions",
    title: "Conditions",
    width: "minmax(8rem, 2fr)",
    render: ({ conditions }) =>
      conditions.length === 0 ? null : (
        <span title={conditions.map(({ message }) => message).join("\n")}>
          ⚠ {conditions.map(({ title }) => title).join(", ")}
        </span>
      ),
    text: ({ conditions }) => conditions.map(({ code }) => code).join(" "),
  },
  {
    id: "target",
    title: "Target",
    width: "minmax(8rem, 2fr)",
    render: (job) => nameOfTarget(job),
    text: (job) => nameOfTarget(job),
  },
  {
    id: "workspace",
    title: "Workspace",
    width: "minmax(6rem, 1fr)",
    render: ({ namespace }) => namespace,
    text: ({ namespace }) => namespace,
  },
  {
    id: "duration",
    title: "Duration",
    width: "6.5rem",
    align: "end",
    render: (job) => {
      const duration = durationOf(job, Date.now())
      return duration === undefined ? "–" : formatDuration(duration)
    },
    text: (job) => durationOf(job, Date.now()) ?? null,
  },
  {
    id: "created",
    title: "Created",
    width: "minmax(7.5rem, 1fr)",
    sortBy: "created_at",
    sortsDown: true,
    render: ({ created_at }) => <Time at={created_at} />,
    text: ({ created_at }) => created_at,
  },
]

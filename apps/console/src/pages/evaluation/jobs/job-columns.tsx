import { formatDuration, formatInteger } from "@assay/reports"
import type { EvaluationJob } from "@assay/schemas"
import { Link } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Badge } from "../../../components/badge.tsx"
import { ProgressBar } from "../../../components/progress-bar.tsx"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"
import { costTexts } from "../../../numbers/cost-text.ts"
import { formatInColumn, titleWithUnit, unitOfMetric } from "./score-unit.ts"
import { tagsOf } from "./job-tags.ts"
import { datasetsOf, gateOf } from "./job-facts.ts"
import { durationOf, nameOfJob, nameOfTarget } from "./job-names.ts"
import { hasEnded, JobVerdictBadge } from "./job-status.tsx"

/** Scores that are columns at first, and that can be columns. */
const SHOWN_SCORES = 2
const MAX_SCORES = 30

const BELOW = { narrow: "below" } as const

export interface JobColumnOptions {
  /** All jobs of the list: the numbers of a column have equal decimals, and scores their unit. */
  readonly jobs: readonly EvaluationJob[]
  /** The names of scores, as `task.metric.score`. */
  readonly scores: readonly string[]
  /** Number of workspaces that have jobs. Of a single one, the column is hidden at first. */
  readonly workspaces: number
  /** Whether all columns have room. Others than those that most people read are hidden at first if they do not. */
  readonly isWide: boolean
  readonly selected: ReadonlySet<string>
  readonly onSelect: (id: string) => void
}

/** Returns the columns of a listing of jobs. */
export function jobColumns({
  jobs,
  scores,
  workspaces,
  isWide,
  selected,
  onSelect,
}: JobColumnOptions): readonly Column<EvaluationJob>[] {
  const spare = { isExtra: !isWide }
  return [
    {
      id: "select",
      title: "",
      narrow: "mark",
      width: "2rem",
      render: (job) => (
        <input
          type="checkbox"
          aria-label={`Select ${nameOfJob(job)}`}
          checked={selected.has(job.id)}
          onChange={() => onSelect(job.id)}
        />
      ),
      text: () => null,
    },
    NAME,
    STATUS,
    GATE,
    ...scores.slice(0, MAX_SCORES).map((name, index) => ({
      ...scoreColumn(name, jobs, index >= SHOWN_SCORES),
      ...(index === 0 ? BELOW : {}),
    })),
    { ...ROWS, ...spare },
    { ...textColumn("model", "Model", nameOfTarget), ...BELOW },
    textColumn("config", "Configuration", ({ config }) => config.name ?? "", true),
    textColumn("dataset", "Dataset", (job) => datasetsOf(job).join(", "), true),
    CREATED,
    costColumn(jobs),
    DURATION,
    FAILED,
    TAGS,
    textColumn("workspace", "Workspace", ({ namespace }) => namespace, workspaces < 2 || !isWide),
    { ...CONDITIONS, ...spare },
  ]
}

function GateBadge({ job }: { readonly job: EvaluationJob }): ReactElement | null {
  const gate = gateOf(job)
  return gate === undefined ? null : <Badge text={gate} tone={gate} />
}

/** Renders the verdict of a job; without one, the status, and how far a running job is. */
function Verdict({ job }: { readonly job: EvaluationJob }): ReactElement {
  const { status, status_details, conditions } = job
  return (
    <span title={conditions.map(({ title }) => title).join("\n")}>
      <JobVerdictBadge job={job} />
      {status === "RUNNING" ? <ProgressBar percent={status_details.progress} label="Rows that are done" /> : null}
    </span>
  )
}

const NAME: Column<EvaluationJob> = {
  id: "name",
  title: "Job",
  narrow: "title",
  width: "minmax(12rem, 3fr)",
  sortBy: "name",
  render: (job) => (
    <>
      <Link to="/jobs/$id" params={{ id: job.id }} title={job.id}>
        {nameOfJob(job)}
      </Link>{" "}
      <Tags job={job} />
    </>
  ),
  text: ({ id }) => id,
}

const STATUS: Column<EvaluationJob> = {
  id: "status",
  title: "Verdict",
  narrow: "end",
  width: "9.25rem",
  sortBy: "status",
  render: (job) => <Verdict job={job} />,
  text: ({ status }) => status,
}

const GATE: Column<EvaluationJob> = {
  id: "gate",
  title: "Gates",
  width: "9.5rem",
  sortBy: "gate",
  isExtra: true,
  render: (job) => <GateBadge job={job} />,
  text: (job) => gateOf(job) ?? null,
}

const ROWS: Column<EvaluationJob> = {
  id: "progress",
  title: "Rows",
  width: "5.5rem",
  align: "end",
  sortBy: "rows",
  sortsDown: true,
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
}

const FAILED: Column<EvaluationJob> = {
  id: "failed",
  title: "Failed",
  width: "5.5rem",
  align: "end",
  sortBy: "failed",
  sortsDown: true,
  isExtra: true,
  render: ({ status_details: { samples_failed: failed } }) => (failed === undefined ? "–" : formatInteger(failed)),
  text: ({ status_details }) => status_details.samples_failed ?? null,
}

function costColumn(jobs: readonly EvaluationJob[]): Column<EvaluationJob> {
  const costsOf = ({ status_details: { cost } }: EvaluationJob) =>
    cost == null ? {} : { [cost.currency]: cost.amount }
  const textOf = costTexts(jobs.map(costsOf))
  return {
    id: "cost",
    title: "Cost",
    width: "6rem",
    align: "end",
    sortBy: "cost",
    sortsDown: true,
    render: (job) => (job.status_details.cost == null ? "–" : textOf(costsOf(job))),
    text: ({ status_details }) => status_details.cost?.amount ?? null,
  }
}

const DURATION: Column<EvaluationJob> = {
  id: "duration",
  title: "Duration",
  width: "5.25rem",
  align: "end",
  sortBy: "duration",
  sortsDown: true,
  render: (job) => {
    const duration = durationOf(job, Date.now())
    return duration === undefined ? "–" : formatDuration(duration)
  },
  text: (job) => durationOf(job, Date.now()) ?? null,
}

const CONDITIONS: Column<EvaluationJob> = {
  id: "conditions",
  title: "Conditions",
  width: "minmax(8rem, 2fr)",
  sortBy: "conditions",
  render: ({ conditions }) =>
    conditions.length === 0 ? null : (
      <span title={conditions.map(({ message }) => message).join("\n")}>
        ⚠ {conditions.map(({ title }) => title).join(", ")}
      </span>
    ),
  text: ({ conditions }) => conditions.map(({ code }) => code).join(" "),
}

const TAGS: Column<EvaluationJob> = {
  id: "tags",
  title: "Tags",
  width: "minmax(6rem, 1fr)",
  sortBy: "tags",
  isExtra: true,
  render: (job) => <Tags job={job} />,
  text: (job) => tagsOf(job).join(", "),
}

function Tags({ job }: { readonly job: EvaluationJob }): ReactElement {
  return (
    <>
      {tagsOf(job).map((tag) => (
        <span key={tag} className="tag" dir="auto">
          {tag}
        </span>
      ))}
    </>
  )
}

const CREATED: Column<EvaluationJob> = {
  id: "created",
  title: "Created",
  narrow: "below",
  width: "minmax(7.25rem, 1fr)",
  sortBy: "created_at",
  sortsDown: true,
  render: ({ created_at }) => <Time at={created_at} />,
  text: ({ created_at }) => created_at,
}

function textColumn(
  id: string,
  title: string,
  textOf: (job: EvaluationJob) => string,
  isExtra = false,
): Column<EvaluationJob> {
  return { id, title, width: "minmax(8rem, 1fr)", sortBy: id, isExtra, render: textOf, text: textOf }
}

function scoreColumn(name: string, jobs: readonly EvaluationJob[], isExtra: boolean): Column<EvaluationJob> {
  const metric = name.split(".").slice(1, -1).join(".")
  const unit = jobs.map(({ config }) => unitOfMetric(config, metric)).find((one) => one !== undefined)
  const title = titleWithUnit(metric || name, unit)
  return {
    id: `score:${name}`,
    // Without the task, and without a score that its metric names already.
    title,
    width: `${Math.min(6.75, Math.max(5.25, title.length * 0.5 + 1.75))}rem`,
    align: "end",
    sortBy: `score:${name}`,
    sortsDown: true,
    isExtra,
    render: ({ status_details: { means } }) => <span title={name}>{formatInColumn(means?.[name], unit)}</span>,
    text: ({ status_details: { means } }) => means?.[name] ?? null,
  }
}

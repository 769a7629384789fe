import type { EvaluationJob } from "@assay/schemas"
import { datasetsOf, gateOf } from "./job-facts.ts"
import { durationOf, nameOfJob, nameOfTarget } from "./job-names.ts"
import { tagsOf } from "./job-tags.ts"

/** Returns the names of the scores of jobs, those of most jobs first. */
export function scoreNames(jobs: readonly Pick<EvaluationJob, "status_details">[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { status_details: details } of jobs)
    for (const name of Object.keys(details.means ?? {})) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
}

/** Returns the jobs that contain each word of a text in their description, tags, model, configuration, dataset, workspace, id or that of the job whose outputs they score. */
export function findJobs(jobs: readonly EvaluationJob[], text: string): readonly EvaluationJob[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return jobs
  return jobs.filter((job) => {
    const { id, namespace, description, config, rescored_from: source = "" } = job
    const named = [config.name ?? "", nameOfTarget(job), ...datasetsOf(job), ...tagsOf(job)]
    const searched = [id, source, namespace, description, ...named]
    const all = searched.join("\n").toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** The score of a sort order such as `score:answers.f1.f1_score`. */
const SCORE = "score:"
const VALUES: Readonly<Record<string, (job: EvaluationJob, now: number) => string | number | undefined>> = {
  created_at: ({ created_at }) => created_at,
  name: (job) => nameOfJob(job).toLowerCase(),
  status: ({ status }) => status,
  rows: ({ status_details }) => status_details.samples_processed,
  failed: ({ status_details }) => status_details.samples_failed,
  gate: gateOf,
  cost: ({ status_details }) => status_details.cost?.amount,
  duration: durationOf,
  model: (job) => nameOfTarget(job).toLowerCase(),
  config: ({ config }) => config.name?.toLowerCase(),
  dataset: (job) => datasetsOf(job)[0],
  workspace: ({ namespace }) => namespace,
  conditions: ({ conditions }) => conditions[0]?.title,
  tags: (job) => tagsOf(job)[0],
}

/** Sorts jobs by a column, with `-` for the largest first. Jobs without a value come last, and equal ones in their order. */
export function sortJobs(jobs: readonly EvaluationJob[], sort: string, now: number): readonly EvaluationJob[] {
  const sign = sort.startsWith("-") ? -1 : 1
  const field = sort.replace(/^-/u, "")
  const valueOf = field.startsWith(SCORE)
    ? ({ status_details }: EvaluationJob) => status_details.means?.[field.slice(SCORE.length)]
    : VALUES[field]
  if (valueOf === undefined) return jobs
  const keyed = jobs.map((job) => ({ job, value: valueOf(job, now) }))
  return keyed.toSorted((a, b) => compare(a.value, b.value, sign)).map(({ job }) => job)
}

function compare(a: string | number | undefined, b: string | number | undefined, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a === b ? 0 : a < b ? -sign : sign
}

import type { Documents } from "@assay/registry"
import {
  EvaluationConfigBody as ConfigSchema,
  EvaluationTargetBody as TargetSchema,
  type EvaluationConfigBody,
  type EvaluationJob,
  type EvaluationTargetBody,
  type RemovedJob,
  type ScoreBody,
  type UpdateJob,
} from "@assay/schemas"
import type { TSchema } from "@sinclair/typebox"
import type { DocumentBody } from "../documents/document-body.ts"
import { type CallerDocuments, createCallerDocuments } from "./caller-documents.ts"
import { createEvaluationBaselines, type EvaluationBaselines } from "./evaluation-baselines.ts"
import { createEvaluationLaunches, type EvaluationLaunches } from "./evaluation-launches.ts"
import { createEvaluationLabels, type EvaluationLabels } from "./evaluation-labels.ts"
import { createEvaluationShards, type EvaluationShards } from "./evaluation-shards.ts"
import type { EvaluationRows } from "./evaluation-rows.ts"
import type { EvaluationsContext } from "./evaluations-context.ts"
import { createEvaluationHistory, type EvaluationHistory } from "./history/evaluation-history.ts"
import { findJob, type JobAccess, type JobCaller } from "./job-caller.ts"
import { listJobs, type Listed, type Listing } from "./list-jobs.ts"

/** Everything that a caller can do with evaluations. Each operation checks the rights of its caller. */
export interface Evaluations extends EvaluationLaunches {
  readonly targets: CallerDocuments<EvaluationTargetBody>
  readonly configs: CallerDocuments<EvaluationConfigBody>
  list(listing: Listing, caller: JobCaller): Promise<Listed<EvaluationJob>>
  find(id: string, access: JobAccess): Promise<EvaluationJob>
  /** Changes the words about a job. The caller needs the role editor in its workspace. */
  update(id: string, changes: UpdateJob, caller: JobCaller): Promise<EvaluationJob>
  /** Adds metrics to a job that has ended. */
  score(id: string, body: ScoreBody, caller: JobCaller): Promise<EvaluationJob>
  readonly cancel: SteerJob
  readonly resume: SteerJob
  readonly retryFailed: SteerJob
  /** Moves a job that has ended into the trash, or deletes it. The caller needs the role editor in its workspace. */
  remove(id: string, caller: JobCaller & { readonly name: string }, options: RemovingJob): Promise<RemovedJob>
  /** Deletes the jobs of the trash whose time is over, in the background. */
  sweepTrash(): void
  readonly rows: EvaluationRows
  readonly shards: EvaluationShards
  readonly labels: EvaluationLabels
  readonly baselines: EvaluationBaselines
  readonly history: EvaluationHistory
}

export interface RemovingJob {
  /** Whether the trash does not keep it. */
  readonly permanent: boolean
}

/** Changes the course of a job. The caller needs the role editor in its workspace. */
export type SteerJob = (id: string, caller: JobCaller) => Promise<EvaluationJob>

/** Creates the operations. The code that checks launches is loaded with the first of them. */
export function createEvaluations(context: EvaluationsContext): Evaluations {
  const { registry, jobs, rows } = context
  const baselines = createEvaluationBaselines(registry, context.now)
  const documents = <Body extends DocumentBody>(stored: Documents<Body>, schema: TSchema) =>
    createCallerDocuments({ ...context, documents: stored, schema })
  const find = (id: string, access: JobAccess) => findJob(registry, id, access)
  const steer =
    <T>(act: (id: string) => Promise<T>) =>
    async (id: string, caller: JobCaller) =>
      act((await find(id, { caller, role: "editor" })).id)

  return {
    targets: documents(registry.evaluationTargets, TargetSchema),
    configs: documents(registry.evaluationConfigurations, ConfigSchema),
    ...createEvaluationLaunches(context),
    list: (listing, caller) => listJobs(registry, listing, caller),
    find,
    update: async (id, changes, caller) =>
      registry.jobs.update((await find(id, { caller, role: "editor" })).id, changes),
    async score(id, body, caller) {
      const job = await find(id, { caller, role: "editor" })
      const { scoreJob } = await import("../launch/score-job.ts")
      return scoreJob(job, body, caller.rights, context)
    },
    cancel: steer((id) => jobs.cancel(id)),
    resume: steer((id) => jobs.resume(id)),
    retryFailed: steer((id) => jobs.retryFailed(id)),
    async remove(id, caller, { permanent }) {
      const job = await find(id, { caller, role: "editor" })
      await baselines.checkRemovable(job)
      const removed = await jobs.remove(job.id, { by: caller.name, permanent })
      await rows.forget(job.id)
      return removed
    },
    sweepTrash: () => jobs.sweepTrash(),
    rows,
    shards: createEvaluationShards(context),
    labels: createEvaluationLabels({ registry, rows, now: context.now }),
    baselines,
    history: createEvaluationHistory(registry, baselines),
  }
}

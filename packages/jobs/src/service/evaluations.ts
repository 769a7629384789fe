import type { Documents } from "@assay/registry"
import {
  EvaluationConfigBody as ConfigSchema,
  EvaluationTargetBody as TargetSchema,
  type EndpointModels,
  type EndpointModelsBody,
  type EvaluationConfigBody,
  type EvaluationJob,
  type EvaluationTargetBody,
  type JobStatus,
  type LaunchBody,
  type LaunchCheckOutcome,
  type LiveAnswer,
  type LiveBody,
  type RescoreBody,
  type ScoreBody,
  type UpdateJob,
} from "@assay/schemas"
import type { TSchema } from "@sinclair/typebox"
import type { DocumentBody } from "../documents/document-body.ts"
import type { OnCheck } from "../launch/checks/check-run.ts"
import { type CallerDocuments, checkCallerWorkspace, createCallerDocuments } from "./caller-documents.ts"
import { createEvaluationBaselines, type EvaluationBaselines } from "./evaluation-baselines.ts"
import { createEvaluationLabels, type EvaluationLabels } from "./evaluation-labels.ts"
import { createEvaluationShards, type EvaluationShards } from "./evaluation-shards.ts"
import type { EvaluationRows } from "./evaluation-rows.ts"
import type { EvaluationService } from "./evaluation-service.ts"
import { createEvaluationHistory, type EvaluationHistory } from "./history/evaluation-history.ts"
import { findJob, type JobAccess, type JobCaller } from "./job-caller.ts"
import type { JobHost } from "./job-host.ts"
import { listJobs, type Listed, type Listing } from "./list-jobs.ts"

/** Everything that a caller can do with evaluations. Each operation checks the rights of its caller. */
export interface Evaluations {
  readonly targets: CallerDocuments<EvaluationTargetBody>
  readonly configs: CallerDocuments<EvaluationConfigBody>
  launch(body: LaunchBody, options: LaunchCallOptions): Promise<EvaluationJob>
  /** Runs the checks of a launch, and launches nothing. `isPlan`: only those that ask no model and write nothing. */
  check(
    body: LaunchBody,
    options: CallOptions & { readonly onCheck?: OnCheck; readonly isPlan?: boolean },
  ): Promise<LaunchCheckOutcome>
  /** Lists the models of an endpoint that jobs of the workspace could ask. The caller needs the role editor there. */
  listModels(workspace: string, endpoint: EndpointModelsBody, options: CallOptions): Promise<EndpointModels>
  live(body: LiveBody, options: CallOptions): Promise<LiveAnswer & { status: JobStatus }>
  list(listing: Listing, caller: JobCaller): Promise<Listed<EvaluationJob>>
  find(id: string, access: JobAccess): Promise<EvaluationJob>
  /** Changes the words about a job. The caller needs the role editor in its workspace. */
  update(id: string, changes: UpdateJob, caller: JobCaller): Promise<EvaluationJob>
  /** Adds metrics to a job that has ended. */
  score(id: string, body: ScoreBody, caller: JobCaller): Promise<EvaluationJob>
  /** Launches a job that scores the outputs of one that has ended, whose target is not asked. The caller needs the role viewer there, and editor in the workspace of the new job. */
  rescore(id: string, body: RescoreBody, options: LaunchCallOptions): Promise<EvaluationJob>
  readonly cancel: SteerJob
  readonly resume: SteerJob
  readonly retryFailed: SteerJob
  remove(id: string, caller: JobCaller): Promise<void>
  readonly rows: EvaluationRows
  readonly shards: EvaluationShards
  readonly labels: EvaluationLabels
  readonly baselines: EvaluationBaselines
  readonly history: EvaluationHistory
}

/** Changes the course of a job. The caller needs the role editor in its workspace. */
export type SteerJob = (id: string, caller: JobCaller) => Promise<EvaluationJob>

export interface CallOptions {
  readonly caller: JobCaller
  readonly signal: AbortSignal
}

export interface LaunchCallOptions extends CallOptions {
  readonly skipChecks: boolean
}

export interface EvaluationsContext extends JobHost {
  /** The folder for checks and live evaluations. */
  readonly workFolder: string
  readonly jobs: EvaluationService
  readonly rows: EvaluationRows
}

/** Creates the operations. The code that checks launches is loaded with the first of them. */
export function createEvaluations(context: EvaluationsContext): Evaluations {
  const { registry, jobs, rows } = context
  const baselines = createEvaluationBaselines(registry, context.now)
  const checkWorkspace = (body: { readonly namespace?: string }, caller: JobCaller) =>
    checkCallerWorkspace(registry, body, caller)
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
    async launch(body, { caller, signal, skipChecks }) {
      await checkWorkspace(body, caller)
      const { launchJob } = await import("../launch/launch-job.ts")
      return launchJob(body, { rights: caller.rights, grants: caller.grants, skipChecks, signal }, context)
    },
    async check(body, { caller, ...options }) {
      await checkWorkspace(body, caller)
      const { checkJob } = await import("../launch/launch-job.ts")
      const { failed, ...found } = await checkJob(body, { rights: caller.rights, ...options }, context)
      return { launchable: failed.length === 0, failed_checks: [...failed], ...found, warnings: [...found.warnings] }
    },
    async listModels(workspace, endpoint, { caller, signal }) {
      await checkWorkspace({ namespace: workspace }, caller)
      const { listEndpointModels } = await import("../launch/list-endpoint-models.ts")
      return listEndpointModels(endpoint, { workspace, rights: caller.rights, signal }, context)
    },
    async live(body, { caller, signal }) {
      await checkWorkspace(body, caller)
      const { evaluateLive } = await import("../launch/evaluate-live.ts")
      return evaluateLive(body, { rights: caller.rights, signal }, context)
    },
    list: (listing, caller) => listJobs(registry, listing, caller),
    find,
    update: async (id, changes, caller) =>
      registry.jobs.update((await find(id, { caller, role: "editor" })).id, changes),
    async score(id, body, caller) {
      const job = await find(id, { caller, role: "editor" })
      const { scoreJob } = await import("../launch/score-job.ts")
      return scoreJob(job, body, caller.rights, context)
    },
    async rescore(id, body, { caller, signal, skipChecks }) {
      const source = await find(id, { caller, role: "viewer" })
      await checkWorkspace({ namespace: body.namespace ?? source.namespace }, caller)
      const { launchRescoring } = await import("../launch/rescore-job.ts")
      return launchRescoring(source, body, { rights: caller.rights, grants: caller.grants, skipChecks, signal }, context)
    },
    cancel: steer((id) => jobs.cancel(id)),
    resume: steer((id) => jobs.resume(id)),
    retryFailed: steer((id) => jobs.retryFailed(id)),
    async remove(id, caller) {
      const job = await find(id, { caller, role: "editor" })
      await baselines.checkRemovable(job)
      await jobs.remove(job.id)
      await rows.forget(job.id)
    },
    rows,
    shards: createEvaluationShards(context),
    labels: createEvaluationLabels({ registry, rows, now: context.now }),
    baselines,
    history: createEvaluationHistory(registry, baselines),
  }
}

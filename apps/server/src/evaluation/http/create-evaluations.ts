import {
  EvaluationConfigBody as ConfigSchema,
  EvaluationTargetBody as TargetSchema,
  type EvaluationConfigBody,
  type EvaluationJob,
  type EvaluationTargetBody,
  type JobStatus,
  type LaunchBody,
  type LiveAnswer,
  type LiveBody,
  type ScoreBody,
} from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import type { EvaluationService } from "../evaluation-service.ts"
import { createEvaluationDocuments, type EvaluationDocuments } from "./evaluation-documents.ts"
import { evaluateLive, type LiveOptions } from "./evaluate-live.ts"
import { launchJob, type LaunchContext, type LaunchOptions } from "./launch-job.ts"
import { addedMetrics } from "./score-job.ts"

/** What the routes of evaluations stand on. */
export interface Evaluations {
  readonly targets: EvaluationDocuments<EvaluationTargetBody>
  readonly configs: EvaluationDocuments<EvaluationConfigBody>
  launch(body: LaunchBody, options: LaunchOptions): Promise<EvaluationJob>
  live(body: LiveBody, options: LiveOptions): Promise<LiveAnswer & { status: JobStatus }>
  /** Adds metrics to a job that has ended. */
  score(job: EvaluationJob, body: ScoreBody, caller: Caller): Promise<EvaluationJob>
  readonly jobs: Pick<EvaluationService, "cancel" | "resume" | "retryFailed" | "remove">
}

export function createEvaluations(context: LaunchContext): Evaluations {
  const { registry, newId, jobs } = context
  const common = { registry, newId }
  return {
    targets: createEvaluationDocuments<EvaluationTargetBody>({
      ...common,
      documents: registry.evaluationTargets,
      schema: TargetSchema,
    }),
    configs: createEvaluationDocuments<EvaluationConfigBody>({
      ...common,
      documents: registry.evaluationConfigurations,
      schema: ConfigSchema,
    }),
    launch: (body, options) => launchJob(body, options, context),
    live: (body, options) => evaluateLive(body, options, context),
    score: async (job, body, caller) => jobs.score(job.id, await addedMetrics(job, body, caller, context)),
    jobs,
  }
}

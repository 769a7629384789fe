import type {
  EndpointModels,
  EndpointModelsBody,
  EvaluationJob,
  JobStatus,
  LaunchBody,
  LaunchCheckOutcome,
  LiveAnswer,
  LiveBody,
  RescoreBody,
} from "@assay/schemas"
import type { OnCheck } from "@assay/attempts"
import { checkCallerWorkspace } from "./caller-documents.ts"
import type { EvaluationsContext } from "./evaluations-context.ts"
import { findJob, type JobCaller } from "./job-caller.ts"

/** The operations of a caller before there is a job: launch one, score outputs of another one, check it, list models, and try metrics on a few rows. */
export interface EvaluationLaunches {
  launch(body: LaunchBody, options: LaunchCallOptions): Promise<EvaluationJob>
  /** Launches a job that scores the outputs of one that has ended. The caller needs the role viewer there, and editor in the workspace of the new job. */
  rescore(id: string, body: RescoreBody, options: LaunchCallOptions): Promise<EvaluationJob>
  /** Runs the checks of a launch, and launches nothing. `isPlan`: only those that ask no model and write nothing. */
  check(
    body: LaunchBody,
    options: CallOptions & { readonly onCheck?: OnCheck; readonly isPlan?: boolean },
  ): Promise<LaunchCheckOutcome>
  /** Lists the models of an endpoint that jobs of the workspace could ask. The caller needs the role editor there. */
  listModels(workspace: string, endpoint: EndpointModelsBody, options: CallOptions): Promise<EndpointModels>
  live(body: LiveBody, options: CallOptions): Promise<LiveAnswer & { status: JobStatus }>
}

export interface CallOptions {
  readonly caller: JobCaller
  readonly signal: AbortSignal
}

export interface LaunchCallOptions extends CallOptions {
  readonly skipChecks: boolean
}

/** Creates the operations. The code that checks launches is loaded with the first of them. */
export function createEvaluationLaunches(context: EvaluationsContext): EvaluationLaunches {
  const checkWorkspace = (body: { readonly namespace?: string }, caller: JobCaller) =>
    checkCallerWorkspace(context.registry, body, caller)
  return {
    async launch(body, { caller, signal, skipChecks }) {
      await checkWorkspace(body, caller)
      const { launchJob } = await import("../launch/launch-job.ts")
      return launchJob(body, { rights: caller.rights, grants: caller.grants, skipChecks, signal }, context)
    },
    async rescore(id, body, { caller, signal, skipChecks }) {
      const source = await findJob(context.registry, id, { caller, role: "viewer" })
      await checkWorkspace({ namespace: body.namespace ?? source.namespace }, caller)
      const { launchRescoring } = await import("../launch/rescore-job.ts")
      return launchRescoring(
        source,
        body,
        { rights: caller.rights, grants: caller.grants, skipChecks, signal },
        context,
      )
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
  }
}

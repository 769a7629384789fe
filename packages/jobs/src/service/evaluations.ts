import { checkNamespace, type DocumentQuery, type Documents } from "@assay/registry"
import {
  AssayError,
  DOCUMENT_LISTING,
  EvaluationConfigBody as ConfigSchema,
  EvaluationTargetBody as TargetSchema,
  parseListingQuery,
  type EvaluationConfigBody,
  type EvaluationJob,
  type EvaluationTargetBody,
  type JobStatus,
  type LaunchBody,
  type LaunchCheckOutcome,
  type LiveAnswer,
  type LiveBody,
  type ScoreBody,
} from "@assay/schemas"
import { compileCheck } from "@assay/schemas/validation"
import type { TSchema } from "@sinclair/typebox"
import type { DocumentAddress, DocumentBody, DocumentItem } from "../documents/document-body.ts"
import type { EvaluationDocuments } from "../documents/evaluation-documents.ts"
import type { OnCheck } from "../launch/checks/check-run.ts"
import { createEvaluationBaselines, type EvaluationBaselines } from "./evaluation-baselines.ts"
import { createEvaluationLabels, type EvaluationLabels } from "./evaluation-labels.ts"
import type { EvaluationRows } from "./evaluation-rows.ts"
import type { EvaluationService } from "./evaluation-service.ts"
import { findJob, type JobAccess, type JobCaller } from "./job-caller.ts"
import type { JobHost } from "./job-host.ts"
import { listJobs, type Listed, type Listing } from "./list-jobs.ts"

/** Everything that a caller can do with evaluations. Each operation checks the rights of its caller. */
export interface Evaluations {
  readonly targets: CallerDocuments<EvaluationTargetBody>
  readonly configs: CallerDocuments<EvaluationConfigBody>
  launch(body: LaunchBody, options: CallOptions & { readonly skipChecks: boolean }): Promise<EvaluationJob>
  /** Runs the checks of a launch, and launches nothing. */
  check(body: LaunchBody, options: CallOptions & { readonly onCheck?: OnCheck }): Promise<LaunchCheckOutcome>
  live(body: LiveBody, options: CallOptions): Promise<LiveAnswer & { status: JobStatus }>
  list(listing: Listing, caller: JobCaller): Promise<Listed<EvaluationJob>>
  find(id: string, access: JobAccess): Promise<EvaluationJob>
  /** Adds metrics to a job that has ended. */
  score(id: string, body: ScoreBody, caller: JobCaller): Promise<EvaluationJob>
  readonly cancel: SteerJob
  readonly resume: SteerJob
  readonly retryFailed: SteerJob
  remove(id: string, caller: JobCaller): Promise<void>
  readonly rows: EvaluationRows
  readonly labels: EvaluationLabels
  readonly baselines: EvaluationBaselines
}

/** Changes the course of a job. The caller needs the role editor in its workspace. */
export type SteerJob = (id: string, caller: JobCaller) => Promise<EvaluationJob>

/** Stored targets or configurations, with the rights of the caller of a request. */
export interface CallerDocuments<Body extends DocumentBody> extends Pick<EvaluationDocuments<Body>, "get" | "remove"> {
  /** Stores a body in the workspace that it names, by default in the workspace `default`. */
  create(body: Body, caller: JobCaller): Promise<DocumentItem<Body>>
  list(listing: Listing, caller: JobCaller): Promise<Listed<DocumentItem<Body>>>
  update(
    address: DocumentAddress,
    changes: Readonly<Record<string, unknown>>,
    caller: JobCaller,
  ): Promise<DocumentItem<Body>>
}

export interface CallOptions {
  readonly caller: JobCaller
  readonly signal: AbortSignal
}

export interface EvaluationsContext extends JobHost {
  /** The folder for checks and live evaluations. */
  readonly workFolder: string
  readonly jobs: EvaluationService
  readonly rows: EvaluationRows
}

const DEFAULT_WORKSPACE = "default"

/** Creates the operations. The code that checks launches is loaded with the first of them. */
export function createEvaluations(context: EvaluationsContext): Evaluations {
  const { registry, jobs, rows } = context
  const baselines = createEvaluationBaselines(registry, context.now)
  const checkWorkspace = async (body: { readonly namespace?: string }, { checkRole }: JobCaller): Promise<string> => {
    const { namespace: workspace = DEFAULT_WORKSPACE } = body
    checkRole(workspace, "editor")
    await checkNamespace(registry, workspace)
    return workspace
  }
  const find = (id: string, access: JobAccess) => findJob(registry, id, access)
  const steer =
    <T>(act: (id: string) => Promise<T>) =>
    async (id: string, caller: JobCaller) =>
      act((await find(id, { caller, role: "editor" })).id)

  function documentsOf<Body extends DocumentBody>(documents: Documents<Body>, schema: TSchema): CallerDocuments<Body> {
    const checkBody = checkOf(schema)
    const open = async () => {
      const { createEvaluationDocuments } = await import("../documents/evaluation-documents.ts")
      return createEvaluationDocuments({ ...context, documents, checkBody })
    }
    return {
      create: async (body, caller) => {
        const workspace = await checkWorkspace(body, caller)
        return (await open()).create(workspace, body, caller.rights)
      },
      async list({ parameters, ...page }, { visible, checkRole }) {
        const { query: where, ...echoed } = parseListingQuery(parameters, DOCUMENT_LISTING)
        const { namespace: workspace } = where.equals
        if (workspace !== undefined) checkRole(workspace, "viewer")
        const query: DocumentQuery = { ...page, where }
        return { object: "list", ...(await (await open()).list(query, visible)), sort: page.sort, ...echoed }
      },
      get: async (address) => (await open()).get(address),
      update: async (address, changes, { rights }) => (await open()).update(address, changes, rights),
      remove: async (address) => (await open()).remove(address),
    }
  }

  return {
    targets: documentsOf(registry.evaluationTargets, TargetSchema),
    configs: documentsOf(registry.evaluationConfigurations, ConfigSchema),
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
    async live(body, { caller, signal }) {
      await checkWorkspace(body, caller)
      const { evaluateLive } = await import("../launch/evaluate-live.ts")
      return evaluateLive(body, { rights: caller.rights, signal }, context)
    },
    list: (listing, caller) => listJobs(registry, listing, caller),
    find,
    async score(id, body, caller) {
      const job = await find(id, { caller, role: "editor" })
      const { scoreJob } = await import("../launch/score-job.ts")
      return scoreJob(job, body, caller.rights, context)
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
    labels: createEvaluationLabels({ registry, rows, now: context.now }),
    baselines,
  }
}

/** Returns a check of changed bodies. @throws `invalid_request`, from the check */
function checkOf(schema: TSchema): (body: unknown) => void {
  const check = compileCheck(schema)
  return (body) => {
    const checked = check(body)
    if (checked.valid) return
    const issues = checked.issues.map((issue) => ({ ...issue, loc: ["body", ...issue.loc] }))
    const [first] = issues
    throw new AssayError("invalid_request", `${first?.loc.join(".")}: ${first?.msg}`, { issues })
  }
}

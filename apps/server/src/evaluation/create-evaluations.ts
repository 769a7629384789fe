import type { DocumentAddress, DocumentBody, EvaluationDocuments, JobHost } from "@assay/evaluation"
import type { EvaluationService } from "@assay/evaluation/service"
import type { DocumentQuery, Documents } from "@assay/registry"
import { type Caller, requireRole, visibleWorkspaces } from "@assay/registry/tokens"
import {
  AssayError,
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
import { compileCheck } from "@assay/schemas/validation"
import type { TSchema } from "@sinclair/typebox"
import { checkNamespace, grantsOf, rightsOfCaller } from "./caller-rights.ts"
import { loadEvaluation } from "./load-evaluation.ts"

/** The operations behind the routes of evaluations. */
export interface Evaluations {
  readonly targets: CallerDocuments<EvaluationTargetBody>
  readonly configs: CallerDocuments<EvaluationConfigBody>
  launch(body: LaunchBody, options: CallOptions & { readonly skipChecks: boolean }): Promise<EvaluationJob>
  live(body: LiveBody, options: CallOptions): Promise<LiveAnswer & { status: JobStatus }>
  /** Adds metrics to a job that has ended. */
  score(job: EvaluationJob, body: ScoreBody, caller: Caller): Promise<EvaluationJob>
  readonly jobs: Pick<EvaluationService, "cancel" | "resume" | "retryFailed" | "remove">
}

/** Stored targets or configurations, with the rights of the caller of a request. */
export interface CallerDocuments<Body extends DocumentBody> extends Pick<EvaluationDocuments<Body>, "get" | "remove"> {
  create(namespace: string, body: Body, caller: Caller): ReturnType<EvaluationDocuments<Body>["create"]>
  list(query: DocumentQuery, caller: Caller): ReturnType<EvaluationDocuments<Body>["list"]>
  update(
    address: DocumentAddress,
    changes: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): ReturnType<EvaluationDocuments<Body>["update"]>
}

export interface CallOptions {
  readonly caller: Caller
  readonly signal: AbortSignal
}

export interface EvaluationsContext extends JobHost {
  /** The folder for checks and live evaluations. */
  readonly workFolder: string
  readonly jobs: EvaluationService
}

export function createEvaluations(context: EvaluationsContext): Evaluations {
  const { registry, newId, jobs } = context
  const documentsOf = <Body extends DocumentBody>(documents: Documents<Body>, schema: TSchema) => {
    const checkBody = checkOf(schema)
    return createCallerDocuments<Body>(async () => {
      const { createEvaluationDocuments } = await loadEvaluation()
      return createEvaluationDocuments({ registry, newId, documents, checkBody })
    })
  }
  return {
    targets: documentsOf(registry.evaluationTargets, TargetSchema),
    configs: documentsOf(registry.evaluationConfigurations, ConfigSchema),
    async launch(body, { caller, signal, skipChecks }) {
      await checkNamespace(registry, body.namespace ?? "default", caller)
      const { launchJob } = await loadEvaluation()
      return launchJob(body, { rights: rightsOfCaller(caller), grants: grantsOf(caller), skipChecks, signal }, context)
    },
    async live(body, { caller, signal }) {
      await checkNamespace(registry, body.namespace ?? "default", caller)
      const { evaluateLive } = await loadEvaluation()
      return evaluateLive(body, { rights: rightsOfCaller(caller), signal }, context)
    },
    async score(job, body, caller) {
      const { scoreJob } = await loadEvaluation()
      return scoreJob(job, body, rightsOfCaller(caller), context)
    },
    jobs,
  }
}

function createCallerDocuments<Body extends DocumentBody>(
  open: () => Promise<EvaluationDocuments<Body>>,
): CallerDocuments<Body> {
  return {
    create: async (namespace, body, caller) => (await open()).create(namespace, body, rightsOfCaller(caller)),
    async list(query, caller) {
      const { namespace } = query.where.equals
      if (namespace !== undefined) requireRole(caller, namespace, "viewer")
      return (await open()).list(query, visibleWorkspaces(caller))
    },
    get: async (address) => (await open()).get(address),
    update: async (address, changes, caller) => (await open()).update(address, changes, rightsOfCaller(caller)),
    remove: async (address) => (await open()).remove(address),
  }
}

/** Returns a check of changed bodies. Its schema is compiled with the first change, since that takes time. */
function checkOf(schema: TSchema): (body: unknown) => void {
  let check: ReturnType<typeof compileCheck> | undefined
  return (body) => {
    check ??= compileCheck(schema)
    const checked = check(body)
    if (checked.valid) return
    const issues = checked.issues.map((issue) => ({ ...issue, loc: ["body", ...issue.loc] }))
    const [first] = issues
    throw new AssayError("invalid_request", `${first?.loc.join(".")}: ${first?.msg}`, { issues })
  }
}

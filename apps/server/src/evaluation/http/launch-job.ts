import type { FailedCheck } from "@assay/evaluation"
import type { CreateJob, NewJobEvent } from "@assay/registry"
import type { EvaluationConfigBody, EvaluationJob, EvaluationTargetBody, LaunchBody } from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import type { EvaluationService } from "../evaluation-service.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { findResultsFileset } from "../results-place.ts"
import { checkReferences } from "../environment/check-references.ts"
import { createServerEnvironment, type ServerEnvironmentContext } from "../environment/create-server-environment.ts"
import { grantsOf, rightsOfCaller } from "../environment/environment-rights.ts"
import { checkNamespace } from "./check-namespace.ts"
import { keepInlineKeys } from "./keep-inline-keys.ts"
import { resolveBody } from "./resolve-body.ts"

export interface LaunchOptions {
  readonly caller: Caller
  readonly skipChecks: boolean
  readonly signal: AbortSignal
}

export interface LaunchContext extends ServerEnvironmentContext {
  /** For what is evaluated at once, and kept nowhere. */
  readonly workFolder: string
  readonly jobs: EvaluationService
}

/** What is to be evaluated, whole, and on whose behalf. */
export interface Subject {
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}

/**
 * Target and configuration of a launch, looked up where they are names. The caller may launch in the namespace, and reach
 * all that they name.
 * @throws `not_found`, `forbidden`, `secret_not_readable`
 */
export async function resolveSubject(
  body: Pick<LaunchBody, "namespace" | "target" | "config">,
  caller: Caller,
  { registry, configurations }: Pick<ServerEnvironmentContext, "registry" | "configurations">,
): Promise<Subject> {
  const { namespace = "default" } = body
  await checkNamespace(registry, namespace, caller)
  const home = { namespace, caller }
  const subject = {
    namespace,
    target: await resolveBody(body.target, { ...home, key: "target", documents: registry.evaluationTargets }),
    config: await resolveBody(body.config, { ...home, key: "config", documents: registry.evaluationConfigurations }),
  }
  await checkReferences(subject, { rights: rightsOfCaller(caller), configurations })
  return subject
}

/**
 * Launches a job once it has been looked at whether it can work; keys that are written in it become secrets.
 * @throws `launch_refused`, and what `resolveSubject` throws
 */
export async function launchJob(
  body: LaunchBody,
  { caller, skipChecks, signal }: LaunchOptions,
  context: LaunchContext,
): Promise<EvaluationJob> {
  const subject = await resolveSubject(body, caller, context)
  const { namespace } = subject
  const warnings = skipChecks ? [] : await checkSubject(subject, { body, caller, signal }, context)
  // Only now: a launch that is refused leaves no secrets behind.
  const { target, config } = subject
  const id = context.newId("eval")
  try {
    const kept = await keepInlineKeys({ target, config }, { namespace, caller, owner: id }, context)
    const events = warnings.map(warningEvent)
    const resultsFileset = await findResultsFileset(body.output_files_url, namespace, {
      registry: context.registry,
      edits: rightsOfCaller(caller).edits,
    })
    const grants = grantsOf(caller)
    return await context.jobs.launch({ id, namespace, ...kept, ...detailsOf(body), resultsFileset, grants, events })
  } catch (error) {
    // Nor does one that fails.
    await context.registry.secrets.removeOwned(id).catch(() => {})
    throw error
  }
}

/** @throws `launch_refused` */
async function checkSubject(
  subject: Subject,
  { body, caller, signal }: { readonly body: LaunchBody; readonly caller: Caller; readonly signal: AbortSignal },
  context: LaunchContext,
): Promise<readonly FailedCheck[]> {
  const { checkLaunch, launchRefused } = await loadEvaluation()
  const { output_files_url: outputFilesUrl = null } = body
  const environment = await createServerEnvironment(context, {
    namespace: subject.namespace,
    rights: rightsOfCaller(caller),
    workFolder: context.workFolder,
    outputFilesUrl,
  })
  const { failed, warnings } = await checkLaunch(subject, environment, { signal })
  if (failed.length > 0) throw launchRefused(failed)
  return warnings
}

/** What does not stand in the way of a job is the first that its log tells. */
function warningEvent({ check, message, remedy }: FailedCheck): NewJobEvent {
  return { kind: "log", data: { level: "warn", message: `Launch check ${check}: ${message} ${remedy}` } }
}

function detailsOf(body: LaunchBody & { readonly ownership?: unknown }): Partial<CreateJob> {
  const { description, project, custom_fields, output_files_url, ownership } = body
  return {
    ...(description === undefined ? {} : { description }),
    ...(project === undefined ? {} : { project }),
    ...(custom_fields === undefined ? {} : { custom_fields }),
    ...(output_files_url === undefined ? {} : { output_files_url }),
    ...(typeof ownership === "object" && ownership !== null ? { ownership: { ...ownership } } : {}),
  }
}

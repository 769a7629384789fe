import { rescoring } from "@assay/evaluation"
import {
  AssayError,
  type EvaluationConfigBody,
  type EvaluationJob,
  type EvaluationTargetBody,
  isFinalJobStatus,
  type RescoreBody,
} from "@assay/schemas"
import { resolveBody } from "../documents/document-body.ts"
import { findResultsLocation } from "../outputs/results-location.ts"
import { rescoredJob, readLaunchFacts, type LaunchFacts } from "@assay/attempts"
import { checkReferences } from "./check-references.ts"
import { launchFacts, type LaunchContext, type LaunchOptions } from "./launch-job.ts"

/**
 * Launches a job that scores the outputs of `source` with the metrics of a configuration. The requests of metrics are checked as for a launch; the target and
 * the datasets are not asked. The caller may see `source`, and launch jobs in the workspace of the body.
 * @throws `job_not_final`; `invalid_request` if the tasks do not fit; `not_found` without results; the errors of `launchJob`
 */
export async function launchRescoring(
  source: EvaluationJob,
  body: RescoreBody,
  options: LaunchOptions,
  context: LaunchContext,
): Promise<EvaluationJob> {
  const { namespace = source.namespace } = body
  const { rights } = options
  await checkOutputs(source, rights, context)
  const documents = context.registry.evaluationConfigurations
  const given = await resolveBody(body.config, { workspace: namespace, rights, key: "config", documents })
  const target = withoutKey(source.target)
  const { subject, taskOf } = rescoredJob({ namespace, target, config: source.config }, given)
  const config = withDatasets(subject.config, source.config, taskOf)
  const facts = factsOf({ namespace, target, config })
  await checkReferences(facts, rights, context)
  return launchFacts(facts, { ...body, ...options, target, rescored_from: source.id }, context)
}

/** @throws `job_not_final`, `not_found` */
async function checkOutputs(
  { id, status, result, ...job }: EvaluationJob,
  { sees }: LaunchOptions["rights"],
  { registry: { jobs } }: Pick<LaunchContext, "registry">,
): Promise<void> {
  const context = { job: id, status }
  if (!isFinalJobStatus(status)) {
    const message = `Evaluation job '${id}' is ${status}; its outputs can be scored again when it has ended.`
    throw new AssayError("job_not_final", message, { context })
  }
  if (result === null) {
    const message = `Evaluation job '${id}' is ${status} without results, so that it has no outputs to score.`
    throw new AssayError("not_found", message, { context })
  }
  await findResultsLocation(jobs, { id, ...job }, sees)
}

/** Where a task names who holds its conversation: simulated users, models that play tools, and agents. They are not asked again. */
const HOLDS_TALK = /\.params\.(agent|conversation\.user\.model|conversation\.tools\..*)$/

/** Returns what the metrics ask: their endpoints and secrets, and none of the target and the datasets. */
function factsOf({
  namespace,
  target,
  config,
}: {
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}): LaunchFacts {
  const shaped = rescoring.targetOf({ target, config })
  const facts = readLaunchFacts({ namespace, target: rescoring.noTarget, config })
  const endpoints = facts.endpoints.filter(({ locations }) => !locations.every((location) => HOLDS_TALK.test(location)))
  return { ...facts, target: shaped, datasets: [], endpoints }
}

/** Returns a target without the name of its key, which the new job does not need. */
function withoutKey(target: EvaluationTargetBody): EvaluationTargetBody {
  const endpoint = target.model?.api_endpoint
  if (target.model === undefined || endpoint === undefined) return target
  const { api_key: _key, api_key_secret: _secret, ...rest } = endpoint
  return { ...target, model: { ...target.model, api_endpoint: rest } }
}

/** Returns a configuration whose tasks name the datasets that the outputs are about. */
function withDatasets(
  { tasks, ...config }: EvaluationConfigBody,
  source: EvaluationConfigBody,
  taskOf: (task: string) => string,
): EvaluationConfigBody {
  if (tasks === undefined) return config
  const named = Object.entries(tasks).map(([name, { dataset: _own, ...task }]) => {
    const dataset = source.tasks?.[taskOf(name)]?.dataset
    return [name, dataset === undefined ? task : { ...task, dataset }] as const
  })
  return { ...config, tasks: Object.fromEntries(named) }
}

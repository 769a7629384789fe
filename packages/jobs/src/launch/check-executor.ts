import { type AssayError, invalidRequest, misspeltName, printable } from "@assay/schemas"
import { isObject } from "@assay/json"
import type { LaunchFacts } from "@assay/attempts"
import type { JobHost } from "./job-host.ts"
import type { JobExecutor, JobExecutors } from "../job-engines/job-executors.ts"
import { nameVariables } from "./job-keys.ts"

/** The facts by which a server decides whether a job can run on one of its engines. */
export interface ExecutorHost extends Pick<JobHost, "executors" | "checkEndpoint"> {
  readonly registry: { readonly budgets: Pick<JobHost["registry"]["budgets"], "get"> }
}

/** Types whose rows need what only a server has: its guardrails, and its sandbox for commands of users. */
const SERVER_ONLY: ReadonlySet<string> = new Set(["content_safety", "calibration", "benchmark"])

/**
 * Checks that a job can run on the executor that it names. A job that names none always can.
 * @throws `invalid_request` with the reason
 */
export async function checkExecutor(facts: LaunchFacts, host: ExecutorHost): Promise<void> {
  const { namespace, config } = facts
  const { executor: name, shards, at_once: atOnce } = config.params ?? {}
  if (name === undefined) {
    if (shards === undefined && atOnce === undefined) return
    throw refused(`'${shards === undefined ? "at_once" : "shards"}' needs an 'executor' beside it.`)
  }
  const executor = findExecutor(host.executors, name)
  if (SERVER_ONLY.has(config.type)) {
    throw refused(`A job of type '${config.type}' runs on the server itself: leave it out.`)
  }
  checkKeys(facts, executor)
  checkAddresses(facts, host)
  const { limits } = await host.registry.budgets.get(namespace)
  if (Object.keys(limits).length === 0) return
  throw refused(
    `The workspace '${printable(namespace)}' has a budget, and the server does not see the requests of other machines: leave it out, or limit the job with 'budget'.`,
  )
}

function checkKeys(facts: LaunchFacts, executor: JobExecutor): void {
  const { references } = nameVariables(facts)
  if (executor.executor === "kubernetes" && facts.inlineKeys.length > 0) {
    throw refused(
      `The pods of '${printable(executor.name)}' get keys from secrets of the cluster, and the job contains one: store it as a secret of the workspace.`,
    )
  }
  checkVariables(executor, [...references.keys()])
}

/** Checks the addresses that shards will ask: what a server refuses to ask itself, its engines must not ask for it, also in a launch without checks. */
function checkAddresses(
  { endpoints, config }: LaunchFacts,
  { checkEndpoint }: Pick<ExecutorHost, "checkEndpoint">,
): void {
  for (const { endpoint } of endpoints) checkEndpoint(endpoint.url)
  for (const { metrics = {} } of Object.values(config.tasks ?? {})) {
    for (const { type, params = {} } of Object.values(metrics)) {
      if (type === "remote" && typeof params["url"] === "string") checkEndpoint(params["url"])
    }
  }
}

/** @throws `invalid_request` if the server has no such executor */
export function findExecutor(executors: JobExecutors | undefined, name: string): JobExecutor {
  const found = executors?.find(name)
  if (found !== undefined) return found
  const names = executors?.names ?? []
  const meant = misspeltName(name, names)
  const hint = meant === undefined ? "" : ` Did you mean '${printable(meant)}'?`
  const others =
    names.length === 0
      ? "and no others: its operator names a file of profiles in ASSAY_EXECUTORS."
      : `only: ${names.map(printable).join(", ")}.${hint}`
  throw refused(`This server has no executor '${printable(name)}', ${others}`)
}

/** Pods get no variables of this process: their profile names secrets of the cluster. @throws `invalid_request` */
export function checkVariables({ executor, name, values }: JobExecutor, variables: readonly string[]): void {
  if (executor !== "kubernetes" || "environment_from" in values) return
  const named = "secret_environment" in values && isObject(values.secret_environment) ? values.secret_environment : {}
  const missing = variables.find((variable) => !Object.hasOwn(named, variable))
  if (missing === undefined) return
  throw refused(
    `The pods of '${printable(name)}' do not get the key of the job: its profile needs '${missing}' in 'secret_environment'.`,
  )
}

function refused(rule: string): AssayError {
  return invalidRequest(["config", "params", "executor"], rule, "value_error")
}

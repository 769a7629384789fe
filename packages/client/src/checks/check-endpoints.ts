import type { EvaluationTarget, GuardrailData, LiveBody } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import pMap from "p-map"
import type { Client } from "../create-client.ts"
import type { CheckOptions } from "./check-backends.ts"

export interface CheckEndpointsOptions extends CheckOptions {
  /** Returns whether a guardrail configuration names the address of a model. Others have nothing to ask. */
  readonly hasEndpoint: (data: GuardrailData) => boolean
}

/** A stored target or guardrail, and a test question to its endpoint. */
interface Question {
  readonly name: string
  /** Returns what is wrong. Undefined if the endpoint answered. */
  readonly ask: () => Promise<string | undefined>
}

const PARALLEL = 4

/**
 * Makes the server ask every inference endpoint of its stored targets and guardrail configurations for one or two tokens. Returns the
 * number of endpoints.
 */
export async function checkEndpoints(client: Client, options: CheckEndpointsOptions): Promise<number> {
  const { signal, onFault } = options
  let count = 0
  async function check({ name, ask }: Question): Promise<void> {
    count += 1
    const fault = await ask().catch((error: unknown) => {
      if (!isAssayError(error) || signal.aborted) throw error
      return error.message
    })
    if (fault !== undefined) onFault(`${name}: ${fault}`)
  }
  await pMap(questions(client, options), check, { concurrency: PARALLEL })
  return count
}

async function* questions(
  client: Client,
  { signal, hasEndpoint }: CheckEndpointsOptions,
): AsyncGenerator<Question, void, undefined> {
  for await (const target of client.evaluation.targets.list({ filter: { type: "model" } }, { signal })) {
    yield { name: `target ${target.namespace}/${target.name}`, ask: () => askTarget(client, target, signal) }
  }
  for await (const { name: workspace } of client.workspaces.list({ signal })) {
    for await (const { name, data } of client.guardrails.list(workspace, { signal })) {
      const id = `${workspace}/${name}`
      if (hasEndpoint(data)) yield { name: `guardrail ${id}`, ask: () => askGuardrail(client, workspace, id, signal) }
    }
  }
}

/** Asks the model of a target as the judge of one row, with the key that the server stores. Any answer is good. */
async function askTarget(
  client: Client,
  { namespace = "default", model }: EvaluationTarget,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answers = {
    type: "llm-judge",
    params: {
      model,
      inference_params: { max_tokens: 1 },
      structured_output: false,
      template: { messages: [{ role: "user", content: "Say yes." }] },
      scores: { answered: { type: "boolean", parser: { type: "regex", pattern: ".*" } } },
    },
  }
  const body: LiveBody = {
    namespace,
    target: { type: "rows", rows: [{ output: "" }] },
    config: {
      type: "custom",
      params: { max_retries: 0, request_timeout: 20, max_failed_share: 0 },
      tasks: { doctor: { type: "data", metrics: { endpoint: answers } } },
    },
  }
  const { status, status_details } = await client.evaluation.live(body, { signal })
  // If the answer gives no score, the evaluation fails, but the endpoint answered.
  const isAnswered = status_details.samples_processed === 1 && status_details.samples_failed === 0
  return status.toUpperCase() === "COMPLETED" || isAnswered ? undefined : status_details.message
}

/** Checks one harmless message. The rail whose endpoint fails reports the error. */
async function askGuardrail(
  client: Client,
  workspace: string,
  config_id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const messages = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hello, how can I help?" },
  ]
  const { guardrails_data } = await client.guardrails.check(
    workspace,
    { messages, guardrails: { config_id } },
    { signal },
  )
  return guardrails_data.log.activated_rails.find(({ error }) => error !== null)?.error?.message
}

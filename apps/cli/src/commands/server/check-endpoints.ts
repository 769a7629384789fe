import pMap from "p-map"
import { isAssayError } from "@assay/schemas/errors"
import type { Client } from "@assay/client"
import type { EvaluationTarget, GuardrailConfiguration, LiveBody } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { formatCount } from "@assay/reports/terminal"
import { find, type Finding } from "./finding.ts"

const PARALLEL = 4

/** A stored target or guardrail, and a test question to its endpoint. */
interface Asked {
  readonly name: string
  /** Returns what is wrong. Undefined if the endpoint answered. */
  readonly ask: () => Promise<string | undefined>
}

/**
 * Makes the server ask every inference endpoint of its stored targets and guardrail configurations for one or two tokens. Empty if
 * there are none.
 */
export async function checkEndpoints(context: Context): Promise<readonly Finding[]> {
  const client = openClient(context)
  const failed: Finding[] = []
  let count = 0

  async function ask({ name, ask: question }: Asked): Promise<void> {
    count += 1
    const fault = await question().catch((error: unknown) => {
      if (!isAssayError(error) || context.signal.aborted) throw error
      return error.message
    })
    if (fault !== undefined) failed.push({ name: "endpoint", ok: false, detail: `${name}: ${fault}` })
  }

  const all = await find("endpoints", async () => {
    await pMap(storedEndpoints(client, context.signal), ask, { concurrency: PARALLEL })
    return `${formatCount(count - failed.length, "endpoint")} of ${count} answered, of stored targets and guardrails`
  })
  if (count === 0 && all.ok) return []
  return [{ ...all, ok: all.ok && failed.length === 0 }, ...failed.toSorted((a, b) => (a.detail < b.detail ? -1 : 1))]
}

async function* storedEndpoints(client: Client, signal: AbortSignal): AsyncGenerator<Asked, void, undefined> {
  for await (const target of client.evaluation.targets.list({ filter: { type: "model" } }, { signal })) {
    yield { name: `target ${target.namespace}/${target.name}`, ask: () => askTarget(client, target, signal) }
  }
  const { effectiveData } = await import("@assay/guardrails")
  for await (const { name: workspace } of client.workspaces.list({ signal })) {
    for await (const configuration of client.guardrails.list(workspace, { signal })) {
      // Built-in configurations have no model of their own.
      if (!effectiveData(configuration.data).models.some(({ url }) => url !== undefined)) continue
      const name = `guardrail ${workspace}/${configuration.name}`
      yield { name, ask: () => askGuardrail(client, workspace, configuration, signal) }
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
  { name }: GuardrailConfiguration,
  signal: AbortSignal,
): Promise<string | undefined> {
  const messages = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hello, how can I help?" },
  ]
  const { guardrails_data } = await client.guardrails.check(
    workspace,
    { messages, guardrails: { config_id: `${workspace}/${name}` } },
    { signal },
  )
  return guardrails_data.log.activated_rails.find(({ error }) => error !== null)?.error?.message
}

import { effectiveModel } from "@assay/guardrails"
import {
  type ApiEndpoint,
  AssayError,
  ERROR_CATALOGUE,
  EMBEDDINGS_FORMAT,
  type ErrorCode,
  type GuardrailModel,
  isAssayError,
  maskUrlUser,
  TASK_FORMAT,
} from "@assay/schemas"
import { isObject } from "@assay/json"
import { recordings, type TaskShape } from "@assay/evaluation"
import { completeAdaptively, createModelPool, endpointKey, likelihood } from "@assay/scoring"
import type { LaunchFacts, NamedEndpoint, NamedGuardrail } from "./launch-facts.ts"
import type { LaunchPorts } from "./launch-ports.ts"
import {
  type CheckRun,
  type FailedCheck,
  failedCheck,
  formatLimit,
  joinReports,
  type LaunchReport,
} from "./check-run.ts"

type EndpointEnvironment = Pick<LaunchPorts, "resolveKey" | "checkEndpoint" | "inference" | "recording">

/** Errors that end without help: the endpoint accepts key and model, and a run repeats such calls. They are warnings. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(["rate_limited", "server_overloaded", "model_loading"])

/**
 * Checks that the model of the target and each judge answer a request for one token. If tasks read log-probabilities of prompts, that
 * request asks for them.
 */
export async function checkEndpoints(
  endpoints: readonly NamedEndpoint[],
  environment: EndpointEnvironment,
  run: CheckRun,
): Promise<LaunchReport> {
  // A replay asks no endpoint.
  if (environment.recording?.isReplayOnly === true) return joinReports([])
  return joinReports(await Promise.all(endpoints.map((named) => checkEndpoint(named, environment, run))))
}

async function checkEndpoint(
  named: NamedEndpoint,
  environment: EndpointEnvironment,
  run: CheckRun,
): Promise<LaunchReport> {
  const { url, model_id } = named.endpoint
  const tooSlow = () =>
    new AssayError(
      "request_timeout",
      `'${model_id}' at ${maskUrlUser(url)} did not answer a request for one token within ${formatLimit(run.limitMs)}; check that it is not loading or overloaded.`,
    )
  const end = run.begin("endpoint", named.locations)
  const outcome = await run.run("endpoint", (signal) => askOneToken(named, environment, signal), tooSlow)
  if ("value" in outcome) return end({ failed: [], warnings: [] })
  const failed = withLocations(outcome.failed, named)
  return end(TEMPORARY.has(failed.code) ? { failed: [], warnings: [failed] } : { failed: [failed], warnings: [] })
}

/** Checks what is known of endpoints without asking them: that users may name their hosts, and that their keys can be read. */
export async function checkHosts(
  endpoints: readonly NamedEndpoint[],
  environment: EndpointEnvironment,
  run: CheckRun,
): Promise<LaunchReport> {
  const check = async (named: NamedEndpoint): Promise<LaunchReport> => {
    const end = run.begin("endpoint", named.locations)
    try {
      environment.checkEndpoint?.(named.endpoint.url)
      await environment.resolveKey(named.endpoint)
      return end({ failed: [], warnings: [] })
    } catch (error) {
      return end({ failed: [withLocations(failedCheck("endpoint", error), named)], warnings: [] })
    }
  }
  return joinReports(await Promise.all(endpoints.map(check)))
}

const PROMPT = "The cat sat on the mat."

async function askOneToken(
  { endpoint, readsLogprobs }: NamedEndpoint,
  environment: EndpointEnvironment,
  signal: AbortSignal,
): Promise<void> {
  environment.checkEndpoint?.(endpoint.url)
  // A task costs what an agent does for it, so none is sent only to try the endpoint.
  if (endpoint.format === TASK_FORMAT) return
  const models = createModelPool(recordings.withHiddenKeys(environment))
  try {
    const model = await models.open(endpoint)
    if (endpoint.format === EMBEDDINGS_FORMAT) {
      await model.client.embed(["Hello"], { signal, maxRetries: 1 })
      return
    }
    if (readsLogprobs !== undefined) {
      const prompts = readsLogprobs === "several" ? [PROMPT, `${PROMPT} The dog`] : [PROMPT]
      await likelihood.askPromptTokens(model, { prompts, parameters: {} }, { signal, maxRetries: 1 })
      return
    }
    const request = { messages: [{ role: "user", content: "Hello" }], parameters: { max_tokens: 1 }, ours: [] } as const
    await completeAdaptively(model, request, { signal, maxRetries: 1 })
  } finally {
    await models.close()
  }
}

/** Adds the title of the condition, by which people know it, and the locations that name the endpoint. */
function withLocations(failed: FailedCheck, { locations }: NamedEndpoint): FailedCheck {
  const entry: { readonly title?: string } = ERROR_CATALOGUE[failed.code]
  const title = entry.title ?? "The model can't be asked"
  return { ...failed, message: `${title} (${locations.join(", ")}): ${failed.message}` }
}

/** Adds whether tasks read log-probabilities of an endpoint. */
export function withLogprobs(named: NamedEndpoint, tasks: readonly TaskShape[]): NamedEndpoint {
  const key = endpointKey(named.endpoint)
  const reads = tasks
    .filter(({ asked }) => asked !== undefined && endpointKey(asked.endpoint) === key)
    .map(({ readsLogprobs }) => readsLogprobs)
  return { ...named, readsLogprobs: reads.find((one) => one === "several") ?? reads.find((one) => one === "one") }
}

/** Finds the judges of the guardrails of a configuration. The check of the shape has their faults. */
export async function checkGuardrails(
  { guardrails }: LaunchFacts,
  environment: LaunchPorts,
  run: CheckRun,
): Promise<GuardrailEndpoints> {
  const locations = guardrails.map(({ location }) => location)
  if (locations.length === 0) return { failed: [], endpoints: [] }
  const end = run.begin("shape", locations)
  const found = await run.run("shape", () => findGuardrailEndpoints(guardrails, environment), guardrailTooSlow)
  const { failed, endpoints } = "failed" in found ? { failed: [found.failed], endpoints: [] } : found.value
  end({ failed, warnings: [] })
  return { failed, endpoints }
}

function guardrailTooSlow(): AssayError {
  return new AssayError("unavailable", "The guardrail configuration could not be read in time; try again.")
}

export interface GuardrailEndpoints {
  readonly failed: readonly FailedCheck[]
  readonly endpoints: readonly NamedEndpoint[]
}

/** Finds the judges of guardrails. A judge without an address is left out. */
export async function findGuardrailEndpoints(
  guardrails: readonly NamedGuardrail[],
  { getGuardrail }: Pick<LaunchPorts, "getGuardrail">,
): Promise<GuardrailEndpoints> {
  const found = await Promise.all(guardrails.map((named) => judgesOf(named, getGuardrail)))
  return { failed: found.flatMap(({ failed }) => failed), endpoints: found.flatMap(({ endpoints }) => endpoints) }
}

async function judgesOf(
  { guardrail, location }: NamedGuardrail,
  getGuardrail: LaunchPorts["getGuardrail"],
): Promise<GuardrailEndpoints> {
  try {
    const data =
      typeof guardrail === "string" ? await getGuardrail(guardrail) : (fieldOf(guardrail, "data") ?? guardrail)
    return { failed: [], endpoints: modelsOf(data).map((endpoint) => ({ endpoint, locations: [location] })) }
  } catch (error) {
    return { failed: [failedCheck("shape", error)], endpoints: [] }
  }
}

/** Reads the models of a guardrail leniently: the check of the shape reports malformed ones. */
function modelsOf(data: unknown): readonly ApiEndpoint[] {
  const models = fieldOf(data, "models")
  if (!Array.isArray(models)) return []
  return models.filter(isObject).flatMap((written) => {
    const { url, model, api_key_secret, ca } = effectiveModel(written as unknown as GuardrailModel)
    if (url === undefined || model === undefined) return []
    return [
      {
        url,
        model_id: model,
        ...(api_key_secret === undefined ? {} : { api_key_secret }),
        ...(ca === undefined ? {} : { ca }),
      },
    ]
  })
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

/** How fast an endpoint answers on an open connection. */
export interface EndpointSpeed {
  /** Milliseconds of a request for one token. */
  readonly firstTokenMs: number
  /** Milliseconds of each further token. 0 if the endpoint is as fast with several tokens as with one. */
  readonly tokenMs: number
  /** The time of several requests at once, as a share of the time that they would take one after another. From 0 to 1. */
  readonly share: number
}

export type EndpointSpeeds = ReadonlyMap<string, EndpointSpeed>

/** Tokens of the longest measured answer. */
const TOKENS = 16
/** How many of them are asked for at once. */
const AT_ONCE = 4
/** All measurements of an endpoint together have this time. */
const LIMIT_MS = 10_000

/**
 * Measures how fast endpoints answer: a request for one token, two at once, then four at once for 16 tokens. The first one is not counted, because
 * it opens the connection and this process loads code meanwhile: it may take a hundred times as long. An endpoint that fails is left out.
 */
export async function measureEndpoints(
  endpoints: readonly NamedEndpoint[],
  environment: EndpointEnvironment,
  signal: AbortSignal,
): Promise<EndpointSpeeds> {
  const measured = await Promise.all(
    endpoints
      .filter(({ endpoint }) => endpoint.format !== EMBEDDINGS_FORMAT && endpoint.format !== TASK_FORMAT)
      .map(async ({ endpoint }) => {
        const ending = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
        return [endpointKey(endpoint), await speedOf(endpoint, environment, ending)] as const
      }),
  )
  signal.throwIfAborted()
  return new Map(measured.flatMap(([key, speed]) => (speed === undefined ? [] : [[key, speed] as const])))
}

async function speedOf(
  endpoint: NamedEndpoint["endpoint"],
  environment: EndpointEnvironment,
  signal: AbortSignal,
): Promise<EndpointSpeed | undefined> {
  const models = createModelPool(environment)
  try {
    environment.checkEndpoint?.(endpoint.url)
    const model = await models.open(endpoint)
    // Each measurement is a request of its own, also for a recording.
    let asked = 0
    const ask = (max_tokens: number) => {
      const request = { messages: [{ role: "user", content: "Hello" }], parameters: { max_tokens }, ours: [] } as const
      return completeAdaptively(model, request, { signal, maxRetries: 0, repeat: ++asked })
    }
    await ask(1)
    // Two at once, which takes one wait. The faster one counts: the other one may have opened a connection.
    const warm = (await Promise.all([ask(1), ask(1)])).map(({ latencyMs }) => latencyMs)
    const begun = environment.inference.now()
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(TOKENS)))
    const together = environment.inference.now() - begun
    const latencies = answers.map(({ latencyMs }) => latencyMs)
    const fastest = Math.min(...latencies)
    const firstTokenMs = Math.min(...warm, fastest)
    const tokens = Math.min(...answers.map(({ usage }) => usage?.completion_tokens ?? TOKENS), TOKENS)
    const tokenMs = tokens < 2 ? 0 : (fastest - firstTokenMs) / (tokens - 1)
    const alone = AT_ONCE * Math.max(fastest, 1)
    return { firstTokenMs, tokenMs, share: Math.min(1, together / alone) }
  } catch (error) {
    if (signal.aborted || isAssayError(error)) return undefined
    throw error
  } finally {
    await models.close()
  }
}

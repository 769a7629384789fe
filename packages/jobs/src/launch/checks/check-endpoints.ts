import { describeFailure } from "@assay/inference"
import { AssayError, type ErrorCode, maskUrlUser } from "@assay/schemas"
import { askPromptTokens, completeAdaptively, createModelPool } from "@assay/scoring"
import type { LaunchPorts } from "../launch-ports.ts"
import { type CheckRun, formatLimit } from "./check-run.ts"
import type { NamedEndpoint } from "./find-endpoints.ts"
import { type FailedCheck, joinReports, type LaunchReport } from "./launch-report.ts"

type EndpointEnvironment = Pick<LaunchPorts, "resolveKey" | "checkEndpoint" | "inference">

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
  const end = run.begin("endpoint", named.places)
  const outcome = await run.run("endpoint", (signal) => askOneToken(named, environment, signal), tooSlow)
  if ("value" in outcome) return end({ failed: [], warnings: [] })
  const failed = withPlaces(outcome.failed, named)
  return end(TEMPORARY.has(failed.code) ? { failed: [], warnings: [failed] } : { failed: [failed], warnings: [] })
}

const PROMPT = "The cat sat on the mat."

async function askOneToken(
  { endpoint, readsLogprobs }: NamedEndpoint,
  environment: EndpointEnvironment,
  signal: AbortSignal,
): Promise<void> {
  environment.checkEndpoint?.(endpoint.url)
  const models = createModelPool(environment)
  try {
    const model = await models.open(endpoint)
    if (readsLogprobs !== undefined) {
      const prompts = readsLogprobs === "several" ? [PROMPT, `${PROMPT} The dog`] : [PROMPT]
      await askPromptTokens(model, { prompts, parameters: {} }, { signal, maxRetries: 1 })
      return
    }
    const request = { messages: [{ role: "user", content: "Hello" }], parameters: { max_tokens: 1 }, ours: [] } as const
    await completeAdaptively(model, request, { signal, maxRetries: 1 })
  } finally {
    await models.close()
  }
}

/** Adds the title of the condition, by which people know it, and the places that name the endpoint. */
function withPlaces(failed: FailedCheck, { places }: NamedEndpoint): FailedCheck {
  const { title } = describeFailure(new AssayError(failed.code, ""))
  return { ...failed, message: `${title} (${places.join(", ")}): ${failed.message}` }
}

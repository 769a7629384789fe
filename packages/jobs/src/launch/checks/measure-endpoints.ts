import { isAssayError } from "@assay/schemas"
import { completeAdaptively, createModelPool, endpointKey } from "@assay/scoring"
import type { LaunchPorts } from "../launch-ports.ts"
import type { NamedEndpoint } from "./find-endpoints.ts"

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

type MeasuringEnvironment = Pick<LaunchPorts, "resolveKey" | "checkEndpoint" | "inference">

/** Tokens of the longest measured answer. */
const TOKENS = 16
/** How many of them are asked for at once. */
const AT_ONCE = 4
/** All measurements of an endpoint together have this time. */
const LIMIT_MS = 10_000

/**
 * Measures how fast endpoints answer: three requests for one token, then four at once for 16. The first one is not counted, because it opens the
 * connection and this process loads code meanwhile: it may take a hundred times as long. An endpoint that fails is left out.
 */
export async function measureEndpoints(
  endpoints: readonly NamedEndpoint[],
  environment: MeasuringEnvironment,
  signal: AbortSignal,
): Promise<EndpointSpeeds> {
  const measured = await Promise.all(
    endpoints.map(async ({ endpoint }) => {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
      return [endpointKey(endpoint), await speedOf(endpoint, environment, ending)] as const
    }),
  )
  signal.throwIfAborted()
  return new Map(measured.flatMap(([key, speed]) => (speed === undefined ? [] : [[key, speed] as const])))
}

async function speedOf(
  endpoint: NamedEndpoint["endpoint"],
  environment: MeasuringEnvironment,
  signal: AbortSignal,
): Promise<EndpointSpeed | undefined> {
  const models = createModelPool(environment)
  try {
    environment.checkEndpoint?.(endpoint.url)
    const model = await models.open(endpoint)
    const ask = (max_tokens: number) => {
      const request = { messages: [{ role: "user", content: "Hello" }], parameters: { max_tokens }, ours: [] } as const
      return completeAdaptively(model, request, { signal, maxRetries: 0 })
    }
    await ask(1)
    const warm = [await ask(1), await ask(1)].map(({ latencyMs }) => latencyMs)
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

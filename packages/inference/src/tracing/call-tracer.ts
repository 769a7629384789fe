import { type Attributes, errorType, type Span, type Telemetry } from "@assay/telemetry"
import type { InferenceEndpoint } from "../inference-endpoint.ts"

/** Upper bounds of the semantic conventions for generative AI. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power)

interface TracedRequest {
  readonly model?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

interface TracedAnswer {
  readonly body: Readonly<Record<string, unknown>>
  readonly usage: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null
  readonly attempts?: number
}

/** A call that has begun. */
export interface TracedCall {
  readonly span: Span
  /** Adds the model, id and usage of an answer, or of a part of it. */
  answered(answer: TracedAnswer): void
  fail(error: unknown): void
  end(): void
}

export interface CallTracerContext {
  readonly telemetry: Telemetry
  /** Returns milliseconds. */
  readonly now: () => number
}

type BeginCall = (operation: "chat" | "text_completion" | "embeddings", request: TracedRequest) => TracedCall

/** Returns a function that begins the span of a call to an endpoint. */
export function createCallTracer(
  { url, model: own }: Pick<InferenceEndpoint, "url" | "model">,
  { telemetry, now }: CallTracerContext,
): BeginCall {
  const address = URL.parse(url)
  const { measureTime, measureTokens } = createMeasures(telemetry)

  return (operation, { model = own, parameters = {} }) => {
    const started = now()
    const attributes: Attributes = {
      "gen_ai.operation.name": operation,
      // The API that is spoken, whoever serves it.
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": model,
      "server.address": address?.hostname,
      "server.port": portOf(address),
    }
    const span = telemetry.begin({
      name: `${operation} ${model}`,
      kind: "client",
      attributes: {
        ...attributes,
        "gen_ai.request.temperature": number(parameters["temperature"]),
        "gen_ai.request.max_tokens": number(parameters["max_tokens"] ?? parameters["max_completion_tokens"]),
      },
    })
    let failure: string | undefined
    let tokens: { readonly input: number | undefined; readonly output: number | undefined } | undefined
    return {
      span,
      answered({ body, usage, attempts }) {
        if (usage !== null) tokens = { input: number(usage.prompt_tokens), output: number(usage.completion_tokens) }
        span.set({
          "gen_ai.response.model": text(body["model"]),
          "gen_ai.response.id": text(body["id"]),
          "gen_ai.usage.input_tokens": tokens?.input,
          "gen_ai.usage.output_tokens": tokens?.output,
          "assay.attempts": attempts,
        })
      },
      fail(error) {
        failure = errorType(error)
        span.fail(failure)
      },
      end() {
        measureTime((now() - started) / 1000, { ...attributes, "error.type": failure })
        const { input, output } = tokens ?? {}
        if (input !== undefined) measureTokens(input, { ...attributes, "gen_ai.token.type": "input" })
        if (output !== undefined) measureTokens(output, { ...attributes, "gen_ai.token.type": "output" })
        span.end()
      },
    }
  }
}

function createMeasures(telemetry: Telemetry) {
  return {
    measureTime: telemetry.histogram({
      name: "gen_ai.client.operation.duration",
      description: "GenAI operation duration.",
      unit: "s",
      bounds: SECONDS,
    }),
    measureTokens: telemetry.histogram({
      name: "gen_ai.client.token.usage",
      description: "Number of input and output tokens used.",
      unit: "{token}",
      bounds: TOKENS,
    }),
  }
}

function portOf(address: URL | null): number | undefined {
  if (address === null) return undefined
  if (address.port !== "") return Number(address.port)
  return address.protocol === "https:" ? 443 : 80
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

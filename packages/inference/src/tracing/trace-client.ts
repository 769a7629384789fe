import type { TokenUsage } from "@assay/schemas"
import type { CallOptions, ChatRequest, InferenceClient } from "../inference-client.ts"
import type { InferenceEndpoint } from "../inference-endpoint.ts"
import { readTokenUsage } from "../answers/read-token-usage.ts"
import { type CallTracerContext, createCallTracer, type TracedCall } from "./call-tracer.ts"

/**
 * Makes a span and two measurements of each call of a client, by the semantic conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/). A span covers all attempts of a call. It has the model, numbers and the code of a
 * failure, and neither prompts nor answers. Lists of models are not traced.
 */
export function traceClient(
  client: InferenceClient,
  endpoint: Pick<InferenceEndpoint, "url" | "model">,
  context: CallTracerContext,
): InferenceClient {
  const { telemetry } = context
  const begin = createCallTracer(endpoint, context)

  async function ask<Answer extends Parameters<TracedCall["answered"]>[0]>(
    call: TracedCall,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const answer = await telemetry.within(call.span, send)
      call.answered(answer)
      return answer
    } catch (error) {
      call.fail(error)
      throw error
    } finally {
      call.end()
    }
  }
  const withTrace = (options: CallOptions, { span }: TracedCall): CallOptions =>
    telemetry.sendsTraceparent ? { ...options, traceparent: span.traceparent } : options

  return {
    ...client,
    complete(request, options = {}) {
      const call = begin("chat", request)
      return ask(call, () => client.complete(request, withTrace(options, call)))
    },
    completeText(request, options = {}) {
      const call = begin("text_completion", request)
      return ask(call, () => client.completeText(request, withTrace(options, call)))
    },
    embed(texts, options = {}) {
      const call = begin("embeddings", {})
      return ask(call, () => client.embed(texts, withTrace(options, call)))
    },
    async *stream(request: ChatRequest, options = {}) {
      const call = begin("chat", request)
      try {
        for await (const chunk of client.stream(request, withTrace(options, call))) {
          call.answered({ body: chunk, usage: usageOf(chunk) })
          yield chunk
        }
      } catch (error) {
        call.fail(error)
        throw error
      } finally {
        call.end()
      }
    },
  }
}

/** Returns the usage of a chunk, which the last one of a stream may have. */
function usageOf({ usage }: Readonly<Record<string, unknown>>): TokenUsage | null {
  return readTokenUsage(usage)
}

import { AsyncLocalStorage } from "node:async_hooks"
import { hash } from "node:crypto"
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  type SpanContext,
  SpanKind as SdkSpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api"
import { W3CTraceContextPropagator } from "@opentelemetry/core"
import { resourceFromAttributes } from "@opentelemetry/resources"
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace"
import type { TelemetrySettings } from "../settings/telemetry-settings.ts"
import type { Attributes, Span, SpanOptions, Telemetry } from "../telemetry.ts"
import { createSampler } from "./create-sampler.ts"

/** Spans that wait for the collector. Further ones are dropped, so that a slow collector costs no more memory. */
const MAX_QUEUED_SPANS = 8192
const MAX_ATTRIBUTE_LENGTH = 1024
export const SCOPE = "assay"

const KINDS = { internal: SdkSpanKind.INTERNAL, server: SdkSpanKind.SERVER, client: SdkSpanKind.CLIENT } as const

interface Tracing extends Pick<Telemetry, "begin" | "within"> {
  close(): Promise<void>
}

/** Creates the spans of a process. Without an exporter, no span is recorded. */
export function createTracing(
  settings: TelemetrySettings,
  version: string,
  exporter: SpanExporter | undefined,
): Tracing {
  const current = new AsyncLocalStorage<Context>()
  const spans = new WeakMap<Span, SdkSpan>()
  const propagator = new W3CTraceContextPropagator()
  const sampler = createSampler(exporter === undefined ? { sampler: "always_off", ratio: 0 } : settings)
  const random = new RandomIdGenerator()
  let chosen: Ids | undefined
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...settings.resource, "service.version": version }),
    sampler,
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    idGenerator: {
      generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
      generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
    },
    spanProcessors:
      exporter === undefined ? [] : [new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUED_SPANS })],
  })
  const tracer = provider.getTracer(SCOPE, version)

  /** Returns the context of a new span: a trace that was named, the caller in another process, or the current span. */
  function contextOf({ caller, trace: named }: SpanOptions): Context {
    if (named !== undefined) return named.isRoot ? ROOT_CONTEXT : contextOfRoot(idsOf(named.id))
    if (caller?.traceparent === undefined) return current.getStore() ?? ROOT_CONTEXT
    return propagator.extract(ROOT_CONTEXT, caller, defaultTextMapGetter)
  }

  /** Returns the context of a root that may belong to another process. The sampler decides about it as it did there. */
  function contextOfRoot(ids: Ids): Context {
    const { decision } = sampler.shouldSample(ROOT_CONTEXT, ids.traceId, "", SdkSpanKind.INTERNAL, {}, [])
    const traceFlags = decision === SamplingDecision.RECORD_AND_SAMPLED ? TraceFlags.SAMPLED : TraceFlags.NONE
    return trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags, isRemote: true })
  }

  return {
    begin(options) {
      const { name, kind = "internal", attributes = {}, trace: named } = options
      chosen = named?.isRoot === true ? idsOf(named.id) : undefined
      const context = contextOf(options)
      const sdkSpan = tracer.startSpan(name, { kind: KINDS[kind], attributes: present(attributes) }, context)
      chosen = undefined
      const span = spanOf(sdkSpan)
      spans.set(span, sdkSpan)
      return span
    },
    within(span, work) {
      const sdkSpan = spans.get(span)
      return sdkSpan === undefined ? work() : current.run(trace.setSpan(ROOT_CONTEXT, sdkSpan), work)
    },
    close: () => provider.shutdown(),
  }
}

function spanOf(span: SdkSpan): Span {
  return {
    traceparent: formatTraceparent(span.spanContext()),
    set: (attributes) => void span.setAttributes(present(attributes)),
    event: (name, attributes) => void span.addEvent(name, present(attributes)),
    fail(type) {
      span.setAttribute("error.type", type)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => span.end(),
  }
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, "0")}`
}

export function present(attributes: Attributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
  )
}

interface Ids {
  readonly traceId: string
  readonly spanId: string
}

/** Computes ids from a text, so that all processes find the same trace. Random ids and these differ by 2^128 possibilities. */
function idsOf(text: string): Ids {
  const digest = hash("sha256", text)
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}

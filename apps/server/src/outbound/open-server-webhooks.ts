import { networkReason, retryAfter } from "@assay/http"
import { createGuardedAgent, createTransport } from "@assay/http/node"
import { openWebhooks, type WebhookAnswer } from "@assay/jobs/service"
import type { Registry } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import type { Telemetry } from "@assay/telemetry"
import type { ServerContext } from "../server-context.ts"
import { sleep } from "../sleep.ts"
import { createInferencePolicy } from "./inference-policy.ts"
import { traceTransport } from "./trace-transport.ts"

/** A receiver only has to say that it has the message. */
const MAX_SECONDS = 15

/** Starts to send webhooks if the settings name an address. @throws `bad_settings` for a wrong template */
export async function openServerWebhooks(
  { settings, now, logger }: ServerContext,
  { webhookEvents: events, jobs }: Pick<Registry, "webhookEvents" | "jobs">,
  telemetry: Telemetry | undefined,
): Promise<{ close(): Promise<void> } | undefined> {
  const { ASSAY_WEBHOOK_URL: url, ASSAY_WEBHOOK_SECRET: secrets, ASSAY_WEBHOOK_TEMPLATE: template } = settings
  if (url === undefined) return undefined
  const agent = createGuardedAgent(createInferencePolicy(settings).checkNamed)
  const limits = { firstByteMs: MAX_SECONDS * 1000, idleMs: MAX_SECONDS * 1000 }
  const transport = traceTransport(createTransport({ dispatcher: agent, ...limits }), telemetry)
  const { origin, pathname, search } = new URL(url)

  /** Reads no body: a status says everything, and a body could be endless. */
  async function post(
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const limit = AbortSignal.timeout(MAX_SECONDS * 1000)
    const bytes = Buffer.from(body)
    const request = {
      method: "POST",
      origin,
      path: pathname + search,
      headers: { ...headers, "content-length": String(bytes.length) },
      body: bytes,
      isNamed: true,
    } as const
    try {
      const response = await transport(request, AbortSignal.any([signal, limit]))
      response.body.destroy()
      return { status: response.status, retryAfterMs: retryAfter(response.headers) }
    } catch (error) {
      if (limit.aborted) return { failure: `the receiver did not answer within ${MAX_SECONDS} s` }
      return { failure: isAssayError(error) ? error.message : networkReason(error) }
    }
  }

  const publicUrl = settings.ASSAY_PUBLIC_URL?.replace(/\/+$/, "")
  const sending = { events, jobs, template, secrets, post, publicUrl, now, random: Math.random, sleep, log: logger }
  const opened = await openWebhooks(sending).catch(async (error: unknown) => {
    await agent.close()
    throw error
  })
  return {
    async close() {
      await opened.close()
      await agent.destroy()
    },
  }
}

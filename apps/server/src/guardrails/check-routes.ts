import type { GuardOptions } from "@assay/guardrails"
import { CheckAnswer, CheckRequest, GuardedChat, type ChatBody, type GuardrailsData } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { callerOf } from "../auth/access.ts"
import type { AcquiredGuardrail } from "./create-guardrails.ts"
import { railsOf, requestWarnings } from "./guardrail-request.ts"
import { clientSignal } from "../http/client-signal.ts"
import { errorResponses } from "../http/route-schemas.ts"
import { sendEvents } from "../http/send-events.ts"
import type { Services } from "../services.ts"
import type { GuardrailsPlace } from "./guardrail-routes.ts"

/** Messages that are checked, and chats that are guarded, at a place. */
export function guardrailCheckRoutes(app: App, { guardrails }: Services, place: GuardrailsPlace): void {
  const { tags, path, params } = place
  const body = CheckRequest
  // Whoever asks a model spends what its key is good for. What was sent may hold a key, and is not repeated.
  const config = { ...place.access("editor"), hideInput: true }

  const acquire = (request: FastifyRequest): Promise<AcquiredGuardrail> =>
    guardrails.acquire({
      choice: choiceOf(request),
      workspace: place.workspaceOf(request),
      caller: callerOf(request),
      model: (request.body as CheckRequest).model,
    })

  app.post(
    `${path}/checks`,
    {
      config,
      schema: {
        tags,
        summary: "Check messages; one that is blocked is an answer, not an error",
        description:
          "Without a model of type `main` in the configuration, self-checks ask the `model` of the request. `guardrails.options.rails` " +
          "selects the rails that run.",
        params,
        body,
        response: { 200: CheckAnswer, ...errorResponses },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      using lease = await acquire(request)
      const { guardrails_data, ...answer } = await lease.guardrail.check(chatOf(request), optionsOf(request, signal))
      return { ...answer, guardrails_data: withWarnings(guardrails_data, request, lease) }
    },
  )
  app.post(
    `${path}/chat/completions`,
    {
      config,
      schema: {
        tags,
        summary: "Chat through input rails, the model and output rails; with `stream` as server-sent events",
        description:
          "The model that is asked is the `model` of the request, at the endpoint of the configuration's model of type `main`; without " +
          "`model` it is the one that `main` names. A configuration whose `main` is `pinned` refuses any other name with 422.",
        params,
        body,
        response: { 200: GuardedChat, ...errorResponses },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const chat = chatOf(request)
      using lease = await acquire(request)
      const options = optionsOf(request, signal)
      if (chat.stream === true) return await sendEvents(reply, lease.guardrail.stream(chat, options))
      const { body: answer, activatedRails } = await lease.guardrail.complete(chat, options)
      const found = { log: { activated_rails: [...activatedRails] } }
      const guarded: unknown = { ...answer, guardrails_data: withWarnings(found, request, lease) }
      return guarded as GuardedChat
    },
  )
}

const choiceOf = ({ body }: FastifyRequest) => (body as CheckRequest).guardrails

/** The chat without what is ours in it, with the parameters for its model that stand there. */
function chatOf({ body }: FastifyRequest): ChatBody {
  const { guardrails, ...chat } = body as CheckRequest
  const { messages, model, stream, ...parameters } = chat
  const own = { messages, ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) }
  return { ...guardrails.options?.llm_params, ...parameters, ...own }
}

function optionsOf(request: FastifyRequest, signal: AbortSignal): GuardOptions {
  const rails = railsOf(choiceOf(request))
  return rails === undefined ? { signal } : { signal, rails }
}

function withWarnings(found: GuardrailsData, request: FastifyRequest, lease: AcquiredGuardrail): GuardrailsData {
  const warnings = [...requestWarnings(choiceOf(request)), ...lease.warnings]
  return warnings.length === 0 ? found : { ...found, warnings }
}

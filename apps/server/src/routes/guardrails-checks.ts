import { CheckAnswer, GuardedChat, type ChatBody, type CheckRequest } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import type { App } from "../app.ts"
import { callerOf } from "../auth/access.ts"
import type { GuardrailLease } from "../guardrails/opened-guardrails.ts"
import { clientSignal } from "../http/client-signal.ts"
import { errorResponses } from "../http/error-responses.ts"
import { sendEvents } from "../http/send-events.ts"
import type { Services } from "../services.ts"
import type { GuardrailsPlace } from "./guardrails-place.ts"

/** Messages that are checked, and chats that are guarded, at a place. */
export function guardrailCheckRoutes(app: App, { guardrails }: Services, place: GuardrailsPlace): void {
  const { tags, path, params, checkBody: body } = place
  // Whoever asks a model spends what its key is good for. What was sent may hold a key, and is not repeated.
  const config = { ...place.access("editor"), hideInput: true }

  const acquire = (request: FastifyRequest): Promise<GuardrailLease> =>
    guardrails.acquire({
      choice: place.choiceOf(request.body),
      workspace: place.workspaceOf(request),
      caller: callerOf(request),
    })

  app.post(
    `${path}/checks`,
    {
      config,
      schema: {
        tags,
        summary: "Check messages; one that is blocked is an answer, not an error",
        params,
        body,
        response: { 200: CheckAnswer, ...errorResponses },
      },
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      using lease = await acquire(request)
      return await lease.guardrail.check(chatOf(request), { signal })
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
      if (chat.stream === true) return await sendEvents(reply, lease.guardrail.stream(chat, { signal }))
      const { body: answer, activatedRails } = await lease.guardrail.complete(chat, { signal })
      const guarded: unknown = { ...answer, guardrails_data: { log: { activated_rails: activatedRails } } }
      return guarded as GuardedChat
    },
  )
}

/** The chat without what is ours in it. */
function chatOf({ body }: FastifyRequest): ChatBody {
  const { guardrails: _choice, ...chat } = body as CheckRequest
  return chat
}

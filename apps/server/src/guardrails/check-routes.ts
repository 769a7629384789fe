import { clientSignal } from "@assay/http/node"
import type { AcquiredGuardrail } from "@assay/guardrails"
import { CheckAnswer, CheckRequest, GuardedChat, type ChatBody } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { ok } from "../http/route-schemas.ts"
import { sendEvents } from "../http/send-events.ts"
import type { Services } from "../services.ts"
import { choiceFor, optionsOf, withWarnings } from "./guarded-chat.ts"
import type { GuardrailScope } from "./guardrail-routes.ts"

/** Defines the routes to check messages and to chat through rails, at one path. */
export function guardrailCheckRoutes(app: App, { guardrails }: Services, scope: GuardrailScope): void {
  const { path, params } = scope
  // Needs the role editor, because a request spends money on the key of a model. Errors hide the input: it can contain a key.
  const ask = scope.describe("editor", { hideInput: true, openAi: "beside" })

  const acquire = (request: FastifyRequest): Promise<AcquiredGuardrail> => {
    const { guardrails: choice, model } = request.body as CheckRequest
    return guardrails.acquire(choiceFor(request, { choice, workspace: scope.workspaceOf(request), model }))
  }

  app.post(
    `${path}/checks`,
    ask({
      summary: "Check messages; a blocked message is a result, not an error",
      description:
        "If the configuration has no model of type `main`, self-checks ask the `model` of the request. `guardrails.options.rails` " +
        "selects the rails to run, and with `guardrails.options.log.llm_calls` each rail contains the messages that its judge was asked with.",
      params,
      body: CheckRequest,
      response: ok(CheckAnswer),
    }),
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      using lease = await acquire(request)
      const { guardrails_data, ...answer } = await lease.guardrail.check(chatOf(request), optionsOf(lease, signal))
      return { ...answer, guardrails_data: withWarnings(guardrails_data, lease) }
    },
  )
  app.post(
    `${path}/chat/completions`,
    ask({
      summary: "Chat through input rails, the model and output rails; with `stream` as server-sent events",
      description:
        "Asks the `model` of the request at the endpoint of the configuration's model of type `main`. Without `model`, asks the " +
        "model that `main` names. If `main` is `pinned`, any other name is refused with 422.",
      params,
      body: CheckRequest,
      response: ok(GuardedChat),
    }),
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const chat = chatOf(request)
      using lease = await acquire(request)
      const options = optionsOf(lease, signal)
      if (chat.stream === true) return await sendEvents(reply, lease.guardrail.stream(chat, options))
      const { body: answer, activatedRails } = await lease.guardrail.complete(chat, options)
      const found = { log: { activated_rails: [...activatedRails] } }
      const guarded: unknown = { ...answer, guardrails_data: withWarnings(found, lease) }
      return guarded as GuardedChat
    },
  )
}

/** Returns the chat without our own field `guardrails`, with the model parameters from that field. */
function chatOf({ body }: FastifyRequest): ChatBody {
  const { guardrails, ...chat } = body as CheckRequest
  const { messages, model, stream, ...parameters } = chat
  const own = { messages, ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) }
  return { ...guardrails.options?.llm_params, ...parameters, ...own }
}

import { randomUUID } from "node:crypto"
import { clientSignal } from "@assay/http/node"
import { chatCompletions, textCompletions, type AcquiredGuardrail, type ChatForm } from "@assay/guardrails"
import {
  AssayError,
  CheckAnswer,
  CheckRequest,
  GuardedChat,
  GuardedTextRequest,
  isAssayError,
  type GuardrailChoice,
} from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { askableModelRoutes } from "./askable-model-routes.ts"
import { choiceFor, optionsOf, sendGuarded, withWarnings } from "./guarded-chat.ts"
import { takeContext } from "./take-context.ts"
import type { GuardrailScope } from "./guardrail-routes.ts"

/** Defines the routes to check messages and to chat through rails, at one path. */
export function guardrailCheckRoutes(app: App, services: Services, scope: GuardrailScope): void {
  const { path, params } = scope
  const ask = askOf(scope)
  app.post(
    `${path}/checks`,
    {
      ...ask({
        summary: "Check messages; a blocked message is a result, not an error",
        description:
          "If the configuration has no model of type `main`, self-checks ask the `model` of the request. `guardrails.options.rails` " +
          "selects the rails to run, and with `guardrails.options.log.llm_calls` each rail contains the messages that its judge was asked with.",
        params,
        body: CheckRequest,
        response: ok(CheckAnswer),
      }),
      preValidation: takeContext,
    },
    async (request, reply) => {
      const signal = clientSignal(reply.raw)
      const { guardrails: choice, ...chat } = request.body as CheckRequest
      using lease = await acquire(services, scope, request, { choice, model: chat.model })
      // Tools can be declared there, as in a chat.
      const checked = { ...choice.options?.llm_params, ...chat }
      const { guardrails_data, ...answer } = await lease.guardrail.check(checked, optionsOf(lease, signal))
      return { ...answer, guardrails_data: withWarnings(guardrails_data, lease) }
    },
  )
  guardedRoute(app, services, scope, {
    path: "chat/completions",
    form: chatCompletions,
    body: CheckRequest,
    summary: "Chat through input rails, the model and output rails; with `stream` as server-sent events",
  })
  guardedRoute(app, services, scope, {
    path: "completions",
    form: textCompletions,
    body: GuardedTextRequest,
    summary: "Complete a text through input rails, the model and output rails, as a chat with one message",
  })
  const ListQuery = Type.Object({
    config_id: Type.Optional(
      Type.String({
        description: "The configuration whose `main` is asked. Absent: the default endpoint of the server.",
      }),
    ),
  })
  const choiceOf = (request: FastifyRequest) => {
    const { config_id } = request.query as { config_id?: string }
    const choice = config_id === undefined ? { config: {} } : { config_id }
    return choiceFor(request, { choice, workspace: scope.workspaceOf(request), model: undefined })
  }
  askableModelRoutes(app, services, { path, params, describe: ask, querystring: ListQuery, choiceOf })
}

// Needs the role editor, because a request spends money on the key of a model. Errors hide the input: it can contain a key.
const askOf = (scope: GuardrailScope) => scope.describe("editor", { hideInput: true, openAi: "beside" })

interface GuardedRoute<Body> {
  readonly path: string
  readonly form: ChatForm<Body>
  readonly body: TSchema
  readonly summary: string
}

function guardedRoute<Body extends object>(
  app: App,
  services: Services,
  scope: GuardrailScope,
  { path, form, body, summary }: GuardedRoute<Body>,
): void {
  const described = askOf(scope)({
    summary,
    description:
      "Asks the `model` of the request at the endpoint of the configuration's model of type `main`. Without `model`, asks the " +
      "model that `main` names. If `main` is `pinned`, any other name is refused with 422.",
    params: scope.params,
    body,
    response: ok(GuardedChat),
  })
  app.post(`${scope.path}/${path}`, { ...described, preValidation: takeContext }, async (request, reply) => {
    const signal = clientSignal(reply.raw)
    const { guardrails: choice, ...sent } = request.body as Body & { guardrails: GuardrailChoice }
    const read = form.read(sent as unknown as Body, { now: services.now, newId: randomUUID })
    using lease = await acquire(services, scope, request, { choice, model: read.chat.model })
    return await sendGuarded(reply, lease, { read, form, choice, signal })
  })
}

interface Asked {
  readonly choice: GuardrailChoice
  readonly model: string | undefined
}

/** Opens the guardrail that a body chooses. @throws `unknown_guardrail` if it does not exist, or if the caller may not see it */
async function acquire(
  { guardrails }: Services,
  scope: GuardrailScope,
  request: FastifyRequest,
  asked: Asked,
): Promise<AcquiredGuardrail> {
  try {
    return await guardrails.acquire(choiceFor(request, { ...asked, workspace: scope.workspaceOf(request) }))
  } catch (error) {
    if (isAssayError(error, "not_found")) throw new AssayError("unknown_guardrail", error.message, { cause: error })
    throw error
  }
}

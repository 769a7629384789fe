import { randomUUID } from "node:crypto"
import { chatCompletions, responses, textCompletions, type ChatForm, type ChoiceRequest } from "@assay/guardrails"
import { clientSignal } from "@assay/http/node"
import {
  ChatBody,
  GuardedChat,
  GuardedResponse,
  GuardrailChoice,
  invalidRequest,
  ResponsesBody,
  TextCompletionBody,
} from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import type { App } from "../../http/app.ts"
import { describeRoutes } from "../../http/describe-routes.ts"
import { NamedParameters, ok } from "../../http/route-schemas.ts"
import type { Services } from "../../services.ts"
import { openQueries } from "../../validation/request-validator.ts"
import { askableModelRoutes } from "../askable-model-routes.ts"
import { choiceFor, sendGuarded } from "../guarded-chat.ts"

/** An address below which clients of OpenAI's API find one configuration. */
interface OpenAiScope {
  readonly path: string
  readonly params: TSchema
  readonly describe: ReturnType<typeof describeRoutes>
  readonly configurationOf: (request: FastifyRequest) => { readonly workspace: string; readonly name: string }
}

// Needs the role editor, because a request spends money on the key of a model. Errors hide the input: it can contain a key.
const OPTIONS = { hideInput: true, openAi: "door" } as const

const CONFIGURATION: OpenAiScope = {
  path: "/workspaces/:ws/configs/:name/openai/v1",
  params: NamedParameters,
  describe: describeRoutes("guardrails openai", { scope: "workspace", role: "editor" }, OPTIONS),
  configurationOf(request) {
    const { ws, name } = request.params as { ws: string; name: string }
    return { workspace: ws, name }
  },
}

/** The workspace and the name of the configuration at the shortest address. */
const DEFAULT = "default"

const DEFAULT_CONFIGURATION: OpenAiScope = {
  path: "",
  params: Type.Object({}),
  describe: describeRoutes("guardrails openai", { scope: "workspace", role: "editor", workspace: DEFAULT }, OPTIONS),
  configurationOf: () => ({ workspace: DEFAULT, name: DEFAULT }),
}

/** Defines the addresses of all configurations, under `/apis/guardrails/v2`. */
export function openAiRoutes(app: App, services: Services): void {
  openAiScope(app, services, CONFIGURATION)
}

/** Defines the address of the configuration `default/default`, under `/openai/v1`. */
export function defaultOpenAiRoutes(app: App, services: Services): void {
  openAiScope(app, services, DEFAULT_CONFIGURATION)
}

function openAiScope(app: App, services: Services, scope: OpenAiScope): void {
  openQueries(app)
  chatRoute(app, services, scope, {
    path: "chat/completions",
    form: chatCompletions,
    body: ChatBody,
    answer: GuardedChat,
    summary: "Chat through a guardrail, in the form of OpenAI's chat completions",
  })
  chatRoute(app, services, scope, {
    path: "responses",
    form: responses,
    body: ResponsesBody,
    answer: GuardedResponse,
    summary: "Chat through a guardrail, in the form of OpenAI's responses",
  })
  chatRoute(app, services, scope, {
    path: "completions",
    form: textCompletions,
    body: TextCompletionBody,
    answer: GuardedChat,
    summary: "Chat through a guardrail, in the form of OpenAI's completions of texts",
  })
  storedResponseRoutes(app, scope)
  const { path, params, describe } = scope
  const choiceOfAddress = (request: FastifyRequest) => choiceOf(scope, request, { choice: {}, model: undefined })
  askableModelRoutes(app, services, { path, params, describe, choiceOf: choiceOfAddress })
}

/** Defines the answer to requests for stored responses, which do not exist: it says why. */
function storedResponseRoutes(app: App, { path, describe }: OpenAiScope): void {
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: `${path}/responses/*`,
    ...describe({ summary: "Refuse what needs stored responses", hide: true }),
    handler() {
      const msg = "is not supported: nothing is stored here; send the whole conversation as `input`"
      throw invalidRequest(["path", "response_id"], msg, "unsupported")
    },
  })
}

/** The part of `guardrails` that a request may have here. The address names the configuration. */
const { models, options, context, state } = GuardrailChoice.properties
const Beside = Type.Object({ models, options, context, state }, { $id: "GuardrailBeside", additionalProperties: false })

interface ChatRoute<Body> {
  readonly path: string
  readonly form: ChatForm<Body>
  readonly body: TSchema
  readonly answer: TSchema
  readonly summary: string
}

function chatRoute<Body extends object>(
  app: App,
  services: Services,
  scope: OpenAiScope,
  route: ChatRoute<Body>,
): void {
  const { form, summary, answer: answerSchema } = route
  const body = Type.Intersect([route.body, Type.Object({ guardrails: Type.Optional(Beside) })])
  const described = scope.describe({
    summary,
    description: "The address names the configuration. With `stream`, the answer is server-sent events.",
    params: scope.params,
    body,
    response: ok(answerSchema),
  })
  app.post(`${scope.path}/${route.path}`, described, async (request, reply) => {
    const signal = clientSignal(reply.raw)
    const asked: { guardrails?: GuardrailChoice } = request.body
    const { guardrails: choice = {}, ...sent } = asked
    const read = form.read(sent as Body, { now: services.now, newId: randomUUID })
    using lease = await services.guardrails.acquire(choiceOf(scope, request, { choice, model: read.chat.model }))
    return sendGuarded(reply, lease, { read, form, choice, signal })
  })
}

interface Asked {
  readonly choice: GuardrailChoice
  readonly model: string | undefined
}

/** Returns the choice of the configuration that the address names. */
function choiceOf(scope: OpenAiScope, request: FastifyRequest, { choice, model }: Asked): ChoiceRequest {
  const { workspace, name } = scope.configurationOf(request)
  // With the workspace, so that a name with a slash is never read as one in another workspace.
  return choiceFor(request, { choice: { ...choice, config_id: `${workspace}/${name}` }, workspace, model })
}

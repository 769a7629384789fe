import { requireRole, secretRightsOf } from "@assay/access"
import type { AcquiredGuardrail, ChatForm, ChoiceRequest, GuardOptions } from "@assay/guardrails"
import { listOf } from "@assay/json"
import type { GuardedChat, GuardrailChoice, GuardrailsData } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import { sendEvents } from "../http/send-events.ts"

/** Returns the choice of a guardrail with the rights of the sender of a request. */
export function choiceFor(request: FastifyRequest, choice: Omit<ChoiceRequest, "rights">): ChoiceRequest {
  const caller = callerOf(request)
  const rights = {
    checkSees: (workspace: string) => requireRole(caller, workspace, "viewer"),
    usesSecretsOf: secretRightsOf(caller),
  }
  return { ...choice, rights }
}

export function optionsOf({ rails, prompts }: AcquiredGuardrail, signal: AbortSignal): GuardOptions {
  return rails === undefined ? { signal, prompts } : { signal, rails, prompts }
}

/** Adds the configuration, and the warnings about the request and its configuration. */
export function withWarnings(found: GuardrailsData, { id, warnings }: AcquiredGuardrail): GuardrailsData {
  const named = id === undefined ? found : { config_ids: [id], ...found }
  return warnings.length === 0 ? named : { ...named, warnings: [...warnings] }
}

/** A request in one of the forms of OpenAI's API, and the guardrail that it chooses. */
interface GuardedRequest<Body> {
  readonly read: ReturnType<ChatForm<Body>["read"]>
  readonly form: ChatForm<Body>
  readonly choice: GuardrailChoice
  readonly signal: AbortSignal
}

/** Asks the model through a guardrail. Sends events if the request asks for a stream; otherwise returns the answer. */
export async function sendGuarded<Body>(
  reply: FastifyReply,
  lease: AcquiredGuardrail,
  { read: { chat, answer, events }, form, choice, signal }: GuardedRequest<Body>,
): Promise<GuardedChat | FastifyReply> {
  const guarded = { ...choice.options?.llm_params, ...chat, ...(choice.stream === true ? { stream: true } : {}) }
  const options = { ...optionsOf(lease, signal), callerRetries: retriesItself(reply.request) }
  if (guarded.stream === true) return sendEvents(reply, events(lease.guardrail.stream(guarded, options)), form)
  const { body, activatedRails } = await lease.guardrail.complete(guarded, options)
  const data = withWarnings({ log: { activated_rails: [...activatedRails] } }, lease)
  const answered = answer(body)
  const choices = choice.return_choice === true ? { choices: withChoice(answered["choices"], data) } : undefined
  const sent: unknown = { ...answered, ...(choices ?? { guardrails_data: data }) }
  return sent as GuardedChat
}

/** OpenAI's clients count in this header how often they have sent a request again. Those of LangChain, which are made of them, do it too. */
function retriesItself({ headers }: FastifyRequest): boolean {
  return headers["x-stainless-retry-count"] !== undefined
}

/** Adds the findings of the rails as the last choice, in the form of the others: a message or a text. */
function withChoice(given: unknown, data: GuardrailsData): readonly unknown[] {
  const choices = listOf(given)
  const content = JSON.stringify(data)
  const isText = choices.some((choice) => typeof choice === "object" && choice !== null && "text" in choice)
  const said = isText ? { text: content } : { message: { role: "guardrails_data", content } }
  return [...choices, { index: choices.length, ...said, finish_reason: null }]
}

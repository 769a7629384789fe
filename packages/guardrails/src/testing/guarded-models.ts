import type { GuardrailData, GuardrailModel } from "@assay/schemas"
import { startFakeInference, type FakeInference, type FakeInferenceOptions } from "@assay/testkit"
import { onTestFinished } from "vitest"
import type { Guardrail, GuardrailContext } from "../guardrail.ts"
import { openGuardrail } from "../rails/open-guardrail.ts"
import { guardrailContext } from "./guardrail-context.ts"

export interface GuardedModels {
  readonly server: FakeInference
  readonly guardrail: Guardrail
  /** The chats that a model was asked, in order. */
  readonly asked: (model: string) => readonly NonNullable<FakeInference["requests"][number]["chat"]>[]
}

export interface GuardedOptions {
  readonly context?: Partial<GuardrailContext>
  /** Said of every model besides its address. */
  readonly model?: Partial<GuardrailModel>
}

/** A server with these models, and a guardrail in which each of them is the model of its name. Both end with the test. */
export async function openGuarded(
  models: NonNullable<FakeInferenceOptions["models"]>,
  data: Omit<GuardrailData, "models">,
  { context = {}, model = {} }: GuardedOptions = {},
): Promise<GuardedModels> {
  const server = await startFakeInference({ models })
  const own = Object.keys(models).map((name) => ({ type: name, model: name, url: `${server.url}/v1`, ...model }))
  const guardrail = await openGuardrail({ ...data, models: own }, guardrailContext(context))
  onTestFinished(async () => {
    await guardrail.close()
    await server.close()
  })
  const asked = (model: string) => server.requests.flatMap(({ chat }) => (chat?.model === model ? [chat] : []))
  return { server, guardrail, asked }
}

/** A chat of one message. */
export const chatOf = (content: string) => ({ messages: [{ role: "user", content }] })

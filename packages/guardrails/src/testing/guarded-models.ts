import type { GuardrailData, GuardrailModel } from "@assay/schemas"
import { startFakeInference, type FakeInference, type FakeInferenceOptions } from "@assay/testkit"
import { onTestFinished } from "vitest"
import type { Guardrail, GuardrailContext } from "../guardrail.ts"
import { openGuardrail } from "../rails/open-guardrail.ts"
import { guardrailContext } from "./guardrail-context.ts"

export interface GuardedModels {
  readonly server: FakeInference
  readonly guardrail: Guardrail
  /** Returns the chats that a model received, in order. */
  readonly asked: (model: string) => readonly NonNullable<FakeInference["requests"][number]["chat"]>[]
}

export interface GuardedOptions {
  readonly context?: Partial<GuardrailContext>
  /** Fields of every model in addition to its URL. */
  readonly model?: Partial<GuardrailModel>
}

/** Starts a server with these models, and opens a guardrail with one model for each of them. Both are closed with the test. */
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

/** Returns a chat of one message. */
export const chatOf = (content: string) => ({ messages: [{ role: "user", content }] })

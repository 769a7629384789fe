import type { CheckRequest, GuardrailConfiguration, GuardrailData } from "@assay/schemas"
import { modelsOf, type GivenModels } from "./missing-models.tsx"

/** Returns the workspace that asks. Secrets that the fields name are those of an ordinary workspace, also for built-in configurations. */
export function askingWorkspace({ workspace }: GuardrailConfiguration): string {
  return workspace === "system" ? "default" : workspace
}

export interface SentMessage {
  readonly message: string
  /** Empty: only the message is judged. */
  readonly answer: string
  readonly given: GivenModels
  /** Checks with this configuration instead of the stored one. Default: the stored one. */
  readonly data?: GuardrailData | undefined
}

/** Returns the request that asks the judges of a guardrail about a message. */
export function checkRequest(
  configuration: GuardrailConfiguration,
  { message, answer, given, data }: SentMessage,
): CheckRequest {
  const { workspace, name } = configuration
  const models = modelsOf(data === undefined ? configuration : { ...configuration, data }, given)
  return {
    messages: [{ role: "user", content: message }, ...(answer === "" ? [] : [{ role: "assistant", content: answer }])],
    guardrails: {
      ...(data === undefined ? { config_id: `${workspace}/${name}` } : { config: data }),
      options: { log: { llm_calls: true } },
      ...(models.length === 0 ? {} : { models }),
    },
  }
}

import { requireRole, secretRightsOf } from "@assay/access"
import type { AcquiredGuardrail, ChoiceRequest, GuardOptions } from "@assay/guardrails"
import type { GuardrailsData } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"

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

/** Adds the warnings about the request and its configuration. */
export function withWarnings(found: GuardrailsData, { warnings }: AcquiredGuardrail): GuardrailsData {
  return warnings.length === 0 ? found : { ...found, warnings: [...warnings] }
}

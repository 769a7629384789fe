import { effectiveModel } from "@assay/guardrails"
import type { GuardrailModel } from "@assay/schemas"
import { failedCheck, type FailedCheck } from "./failed-check.ts"
import type { NamedEndpoint } from "./find-endpoints.ts"
import type { LaunchSubject } from "./launch-subject.ts"
import type { LaunchPorts } from "./launch-ports.ts"
import { namedGuardrails, type NamedGuardrail } from "./named-guardrails.ts"

export interface GuardrailEndpoints {
  readonly failed: readonly FailedCheck[]
  readonly endpoints: readonly NamedEndpoint[]
}

/** The judges of the guardrails that a `content_safety` configuration names or writes out, as far as they have an address. */
export async function findGuardrailEndpoints(
  { config }: LaunchSubject,
  { getGuardrail }: Pick<LaunchPorts, "getGuardrail">,
): Promise<GuardrailEndpoints> {
  const found = await Promise.all(namedGuardrails(config).map((named) => endpointsOf(named, getGuardrail)))
  return { failed: found.flatMap(({ failed }) => failed), endpoints: found.flatMap(({ endpoints }) => endpoints) }
}

async function endpointsOf(
  { guardrail, place }: NamedGuardrail,
  getGuardrail: LaunchPorts["getGuardrail"],
): Promise<GuardrailEndpoints> {
  try {
    const data =
      typeof guardrail === "string" ? await getGuardrail(guardrail) : (fieldOf(guardrail, "data") ?? guardrail)
    return { failed: [], endpoints: modelsOf(data).map((endpoint) => ({ endpoint, places: [place] })) }
  } catch (error) {
    return { failed: [failedCheck("shape", error)], endpoints: [] }
  }
}

/** What is malformed is told by the check of the shape. */
function modelsOf(data: unknown): readonly NamedEndpoint["endpoint"][] {
  const models: unknown = fieldOf(data, "models")
  if (!Array.isArray(models)) return []
  return models.filter(isObject).flatMap((written) => {
    const { url, model, api_key_secret, ca } = effectiveModel(written as GuardrailModel)
    if (url === undefined || model === undefined) return []
    return [
      {
        url,
        model_id: model,
        ...(api_key_secret === undefined ? {} : { api_key_secret }),
        ...(ca === undefined ? {} : { ca }),
      },
    ]
  })
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? (value as Record<string, unknown>)[name] : undefined
}

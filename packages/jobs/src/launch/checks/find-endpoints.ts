import { effectiveModel } from "@assay/guardrails"
import { type ApiEndpoint, type BodyFields, findFields, type GuardrailModel, isObject } from "@assay/schemas"
import { endpointKey } from "@assay/scoring"
import type { TaskShape } from "@assay/evaluation"
import { findGuardrails, type NamedGuardrail } from "../find-references.ts"
import type { LaunchPorts, LaunchSubject } from "../launch-ports.ts"
import { failedCheck, type FailedCheck } from "./launch-report.ts"

/** An endpoint that a job calls, and the places that name it. */
export interface NamedEndpoint {
  readonly endpoint: ApiEndpoint
  /** `target.model`, `config.tasks.qa.metrics.judge.params.model`, …; at least one. */
  readonly places: readonly string[]
  /** Whether log-probabilities of one prompt are read, or of several in one request. Absent: none are read. */
  readonly readsLogprobs?: TaskShape["readsLogprobs"]
}

/** Finds every endpoint of a target and a configuration, each once: the model of the target and the judges. */
export function findEndpoints(
  { target, config }: Pick<LaunchSubject, "target" | "config">,
  fields?: BodyFields,
): readonly NamedEndpoint[] {
  const found = new Map<string, { endpoint: ApiEndpoint; places: string[] }>()
  for (const { value: endpoint, path } of findFields({ target, config }, "endpoint", fields)) {
    if (!isEndpoint(endpoint)) continue
    const place = path.slice(0, -1).join(".")
    const key = endpointKey(endpoint)
    const known = found.get(key)
    if (known === undefined) found.set(key, { endpoint, places: [place] })
    else known.places.push(place)
  }
  return [...found.values()]
}

function isEndpoint(value: unknown): value is ApiEndpoint {
  return typeof fieldOf(value, "url") === "string" && typeof fieldOf(value, "model_id") === "string"
}

export interface GuardrailEndpoints {
  readonly failed: readonly FailedCheck[]
  readonly endpoints: readonly NamedEndpoint[]
}

/** Finds the judges of the guardrails of a `content_safety` or `calibration` configuration. A judge without an address is left out. */
export async function findGuardrailEndpoints(
  { config }: LaunchSubject,
  { getGuardrail }: Pick<LaunchPorts, "getGuardrail">,
): Promise<GuardrailEndpoints> {
  const found = await Promise.all(findGuardrails(config).map((named) => endpointsOf(named, getGuardrail)))
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

/** Reads the models of a guardrail leniently: the check of the shape reports malformed ones. */
function modelsOf(data: unknown): readonly ApiEndpoint[] {
  const models = fieldOf(data, "models")
  if (!Array.isArray(models)) return []
  return models.filter(isObject).flatMap((written) => {
    const { url, model, api_key_secret, ca } = effectiveModel(written as unknown as GuardrailModel)
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

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

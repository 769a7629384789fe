import type { ApiEndpoint, EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** An endpoint that a job asks, and where it is named. */
export interface NamedEndpoint {
  readonly endpoint: ApiEndpoint
  /** `target.model`, `config.tasks.qa.metrics.judge.params.model`, …; one at least. */
  readonly places: readonly string[]
}

/** Every endpoint that target and configuration name, once: the model and each judge, wherever it stands. */
export function findEndpoints(target: EvaluationTargetBody, config: EvaluationConfigBody): readonly NamedEndpoint[] {
  const found = new Map<string, { endpoint: ApiEndpoint; places: string[] }>()

  function visit(value: unknown, place: string): void {
    if (typeof value !== "object" || value === null) return
    if (!Array.isArray(value) && "api_endpoint" in value && isEndpoint(value.api_endpoint)) {
      const endpoint = value.api_endpoint
      const { url, model_id, api_key, api_key_secret, api_key_env, ca } = endpoint
      const key = JSON.stringify([url, model_id, api_key, api_key_secret, api_key_env, ca])
      const known = found.get(key)
      if (known === undefined) found.set(key, { endpoint, places: [place] })
      else known.places.push(place)
    }
    for (const [name, part] of Object.entries(value)) visit(part, `${place}.${name}`)
  }

  const { rows: _data, ...rest } = target
  visit(rest, "target")
  visit(config, "config")
  return [...found.values()]
}

function isEndpoint(value: unknown): value is ApiEndpoint {
  if (typeof value !== "object" || value === null) return false
  const { url, model_id } = value as Record<string, unknown>
  return typeof url === "string" && typeof model_id === "string"
}

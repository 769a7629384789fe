import { isObject, withoutNulls } from "@assay/json"
import { invalidRequest } from "../errors/assay-error.ts"

/** The endpoint of models that are given by name only. */
export interface DefaultEndpoint {
  /** Undefined: the server has none. */
  readonly url: string | undefined
  /** The name of the setting, for the error. */
  readonly setting: string
}

/**
 * Converts the body of a target, a configuration, a launch or a live evaluation from the forms of the first version: a field of null
 * is removed, and a model given by name gets the default endpoint.
 * @throws `invalid_request` for a name, if the server has no default endpoint
 */
export function readEvaluationBody<Body>(body: Body, endpoint: DefaultEndpoint): Body {
  return expandModelNames(withoutNulls(body, NESTED), endpoint) as Body
}

/** Keys whose objects have optional fields, too. */
const NESTED = ["target", "config"] as const

/** Types of metrics whose parameter `model` names a model. */
const MODEL_METRICS: ReadonlySet<unknown> = new Set(["llm-judge"])

/** Returns the body with an endpoint for each model and judge that is given by name, such as `{"type": "model", "model": "meta/llama"}`. */
function expandModelNames(body: unknown, { url, setting }: DefaultEndpoint): unknown {
  const expand = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value !== "string") return value
    if (url !== undefined) return { api_endpoint: { url, model_id: value } }
    const msg = `A model given by name needs ${setting}, which is not set on this server; give api_endpoint with url and model_id`
    throw invalidRequest(["body", ...path], msg, "no_default_endpoint", value)
  }

  const target = (value: unknown, path: readonly string[]) =>
    isObject(value) && value["type"] === "model" ? change(value, "model", (m) => expand(m, [...path, "model"])) : value

  const judgeOf = (value: unknown, path: readonly string[]) =>
    change(value, "judge", (judge) => change(judge, "model", (model) => expand(model, [...path, "judge", "model"])))

  const metric = (value: unknown, path: readonly string[]) =>
    change(value, "params", (params) => {
      const at = [...path, "params"]
      const judged = judgeOf(params, at)
      const asks = isObject(value) && MODEL_METRICS.has(value["type"])
      return asks ? change(judged, "model", (model) => expand(model, [...at, "model"])) : judged
    })

  const task = (value: unknown, path: readonly string[]) =>
    change(
      change(value, "params", (params) => judgeOf(params, [...path, "params"])),
      "metrics",
      (metrics) => each(metrics, (one, key) => metric(one, [...path, "metrics", key])),
    )

  const config = (value: unknown, path: readonly string[]) =>
    change(
      change(value, "params", (params) => judgeOf(params, [...path, "params"])),
      "tasks",
      (tasks) => each(tasks, (one, key) => task(one, [...path, "tasks", key])),
    )

  const launched = change(body, "target", (value) => target(value, ["target"]))
  return config(
    target(
      change(launched, "config", (value) => config(value, ["config"])),
      [],
    ),
    [],
  )
}

/** Returns an object with a new value of `key`. Any other value, and an object without a change, keeps its identity. */
function change(value: unknown, key: string, by: (inner: unknown) => unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value
  const changed = by(value[key])
  return changed === value[key] ? value : { ...value, [key]: changed }
}

function each(value: unknown, by: (inner: unknown, key: string) => unknown): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const changed = entries.map(([key, inner]) => [key, by(inner, key)] as const)
  // `fromEntries` also sets an own property for the name `__proto__`.
  return changed.every(([, inner], n) => inner === entries[n]?.[1]) ? value : Object.fromEntries(changed)
}

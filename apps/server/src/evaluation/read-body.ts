import { invalidRequest } from "@assay/schemas"

/** A body of a target, a configuration, a launch or a live evaluation, as clients of the first version may write it. @throws `invalid_request` */
export function readEvaluationBody<Body>(body: Body, defaultInferenceUrl: string | undefined): Body {
  return expandModelNames(withoutNulls(body), defaultInferenceUrl) as Body
}

/** Below these keys stand objects of the same kind: fields that can be there or not. */
const NESTED = ["target", "config"] as const

/** A body in which null means, as for clients of the first version, that a field is not given. */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body
  const given = Object.entries(body).filter(([, value]) => value !== null)
  return Object.fromEntries(
    given.map(([key, value]) => [key, (NESTED as readonly string[]).includes(key) ? withoutNulls(value) : value]),
  )
}

type Json = Readonly<Record<string, unknown>>

/** Types of metrics that ask a model, which their parameter `model` names. */
const ASKING: ReadonlySet<unknown> = new Set(["llm-judge"])

/**
 * A body in which models that are given by name alone have an endpoint: the one that answers for all of them. Clients of the first
 * version write `{"type": "model", "model": "meta/llama"}`, and name judges likewise.
 * @throws `invalid_request` for a name, if the server has no such endpoint
 */
export function expandModelNames(body: unknown, defaultUrl: string | undefined): unknown {
  const expand = (value: unknown, place: readonly string[]): unknown => {
    if (typeof value !== "string") return value
    if (defaultUrl !== undefined) return { api_endpoint: { url: defaultUrl, model_id: value } }
    const msg =
      "A model that is given by name is asked at ASSAY_DEFAULT_INFERENCE_URL, which this server has not; give api_endpoint with url and model_id"
    throw invalidRequest(["body", ...place], msg, "no_default_endpoint", value)
  }

  const target = (value: unknown, place: readonly string[]) =>
    isObject(value) && value["type"] === "model" ? change(value, "model", (m) => expand(m, [...place, "model"])) : value

  const judgeOf = (value: unknown, place: readonly string[]) =>
    change(value, "judge", (judge) => change(judge, "model", (model) => expand(model, [...place, "judge", "model"])))

  const metric = (value: unknown, place: readonly string[]) =>
    change(value, "params", (params) => {
      const at = [...place, "params"]
      const judged = judgeOf(params, at)
      const asks = isObject(value) && ASKING.has(value["type"])
      return asks ? change(judged, "model", (model) => expand(model, [...at, "model"])) : judged
    })

  const task = (value: unknown, place: readonly string[]) =>
    change(
      change(value, "params", (params) => judgeOf(params, [...place, "params"])),
      "metrics",
      (metrics) => each(metrics, (one, key) => metric(one, [...place, "metrics", key])),
    )

  const config = (value: unknown, place: readonly string[]) =>
    change(
      change(value, "params", (params) => judgeOf(params, [...place, "params"])),
      "tasks",
      (tasks) => each(tasks, (one, key) => task(one, [...place, "tasks", key])),
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

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The object with the value of `key` changed; anything else, and an object that stays as it is, is the same afterwards. */
function change(value: unknown, key: string, by: (inner: unknown) => unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value
  const changed = by(value[key])
  return changed === value[key] ? value : { ...value, [key]: changed }
}

function each(value: unknown, by: (inner: unknown, key: string) => unknown): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const changed = entries.map(([key, inner]) => [key, by(inner, key)] as const)
  // `__proto__` is a name like any other.
  return changed.every(([, inner], n) => inner === entries[n]?.[1]) ? value : Object.fromEntries(changed)
}

import { fieldsOf } from "@assay/json"

const KEYS: Readonly<Record<string, string>> = {
  repeats: "repeat",
  parallelism: "parallel",
  slices: "slices",
  cluster_by: "group",
  cache: "cache",
  executor: "executor",
  shards: "shards",
  at_once: "at_once",
}
const LIMITS: Readonly<Record<string, string>> = {
  limit_samples: "rows",
  rate: "rate",
  max_failed_share: "failed",
  max_retries: "retries",
  request_timeout: "timeout",
}
const BUDGET: Readonly<Record<string, string>> = {
  max_requests: "requests",
  max_tokens: "tokens",
  max_cost: "cost",
  max_duration: "seconds",
}

/** The parameters of a configuration, as the keys of the short form. */
export interface ShortParams {
  readonly gates: readonly unknown[]
  /** Those of the model that is asked. */
  readonly model: object
  readonly limits?: object
  readonly [key: string]: unknown
}

/** Returns the parameters of a configuration in the short form. Those that it has no keys for become keys of the model, which its reader refuses. */
export function shortParams({ gates, prices, budget, ...params }: Readonly<Record<string, unknown>>): ShortParams {
  const limits = { ...renamed(params, LIMITS), ...renamed(fieldsOf(budget), BUDGET) }
  const known = new Set([...Object.keys(KEYS), ...Object.keys(LIMITS)])
  const others = Object.entries(params).filter(([key]) => !known.has(key))
  const [price] = Array.isArray(prices) ? prices.map((one) => fieldsOf(one)) : []
  const { model: _name, ...amounts } = price ?? {}
  return {
    gates: Array.isArray(gates) ? gates.map((gate) => shortGate(fieldsOf(gate))) : [],
    model: { ...Object.fromEntries(others), ...amounts },
    ...renamed(params, KEYS),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

function renamed(from: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(names).flatMap(([long, short]) => (long in from ? [[short, from[long]]] : [])))
}

/** Returns a gate as a text, unless it says more than a text can. */
function shortGate(gate: Readonly<Record<string, unknown>>): unknown {
  const { task: _task, metric, score, op, value, on_these_rows: isOfRows, ...others } = gate
  if (Object.keys(others).length > 0 || typeof value !== "number" || op === undefined) return gate
  const name = score === undefined ? String(metric) : `${String(metric)}.${String(score)}`
  return `${name} ${String(op)} ${value}${isOfRows === true ? " on these rows" : ""}`
}

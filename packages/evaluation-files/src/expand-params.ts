import type { Origins } from "./origins.ts"
import { pointerTo } from "./document-faults.ts"
import type { Cell } from "./matrix.ts"
import type { ShortEvaluation, ShortJudge } from "./short/short-evaluation.ts"

const PARAMS = {
  repeat: "repeats",
  parallel: "parallelism",
  slices: "slices",
  group: "cluster_by",
  cache: "cache",
  executor: "executor",
  shards: "shards",
  at_once: "at_once",
} as const

const LIMITS = {
  rows: "limit_samples",
  rate: "rate",
  failed: "max_failed_share",
  retries: "max_retries",
  timeout: "request_timeout",
} as const

const BUDGET = { requests: "max_requests", tokens: "max_tokens", cost: "max_cost", seconds: "max_duration" } as const

export function expandParams(given: ShortEvaluation, { model }: Cell, origins: Origins): Record<string, unknown> {
  const { limits = {} } = given
  const renamed = (
    from: Readonly<Record<string, unknown>>,
    names: Readonly<Record<string, string>>,
    above: string,
    to: string,
  ) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([short, long]) => {
        if (from[short] === undefined) return []
        origins.add(pointerTo(to, long), pointerTo(above, short))
        return [[long, from[short]]]
      }),
    )
  const parameters = model?.expanded.parameters ?? {}
  for (const key of Object.keys(parameters)) {
    if (model !== undefined) origins.add(pointerTo("/config/params", key), pointerTo(model.pointer, key))
  }
  // In a conversation, `tokens` is a limit of each conversation.
  const { tokens: _tokens, ...withoutTokens } = BUDGET
  const names = given.turns === undefined && given.user === undefined ? BUDGET : withoutTokens
  const budget = renamed(limits, names, "/limits", "/config/params/budget")
  const prices = pricesOf(given, model)
  if (Object.keys(budget).length > 0) origins.add("/config/params/budget", "/limits")
  return {
    ...renamed(given, PARAMS, "", "/config/params"),
    ...renamed(limits, LIMITS, "/limits", "/config/params"),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(prices.length === 0 ? {} : { prices }),
    ...parameters,
  }
}

/** Returns the prices that the file gives, of the model that is asked and of judges. The first one of a name counts. */
function pricesOf({ checks = [], turns = [] }: ShortEvaluation, model: Cell["model"]): readonly object[] {
  const own = model?.expanded
  const ofTurns = typeof turns === "string" ? [] : turns.flatMap((turn) => turn.checks ?? [])
  const judges = [...checks, ...ofTurns].flatMap((check) => {
    const { judge } = (typeof check === "string" ? {} : check) as { readonly judge?: ShortJudge }
    const given = judge?.model
    if (given === undefined || typeof given === "string") return []
    const { model: name, prompt_price, completion_price } = given
    return prompt_price === undefined ? [] : [{ model: name, prompt_price, completion_price }]
  })
  return own?.prices === undefined ? judges : [{ model: own.model.api_endpoint.model_id, ...own.prices }, ...judges]
}

/** Returns the properties that are given. */
export function present(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

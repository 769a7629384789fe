import type { Context } from "../../../context.ts"
import { endpointKey } from "../run/endpoint-key.ts"

/**
 * `value` with the key of each endpoint that names a variable (`api_key_env`) in its place: the server keeps it as a secret of the
 * workspace and never shows it. Endpoints that name a secret of the server stay as they are.
 * @throws `bad_usage` where the variable is empty
 */
export function withKeys<T>(context: Pick<Context, "env">, value: T): T {
  if (Array.isArray(value)) return value.map((one: unknown) => withKeys(context, one)) as T
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).map(([key, below]: [string, unknown]) => {
    if (key === "rows") return [key, below] as const
    return [key, key === "api_endpoint" ? endpointOf(context, below) : withKeys(context, below)] as const
  })
  return Object.fromEntries(entries) as T
}

function endpointOf(context: Pick<Context, "env">, endpoint: unknown): unknown {
  if (typeof endpoint !== "object" || endpoint === null || !("api_key_env" in endpoint)) return endpoint
  const { api_key_env: variable, ...rest } = endpoint
  const url = "url" in endpoint ? String(endpoint.url) : "the endpoint"
  return { ...rest, api_key: endpointKey(context, { url, model_id: "", api_key_env: String(variable) }) }
}

import type { FastifyContextConfig, FastifySchema } from "fastify"
import { access, type Access } from "../auth/access.ts"

/**
 * Returns a function that describes routes in the way of Fastify: under `tag` in the OpenAPI description, for callers whom `rule`
 * permits. With `hideInput`, errors do not repeat what a caller sent, such as a key instead of its name. With `isFrequent`, the log has requests
 * at level `debug`, because they would hide all others.
 */
export function describeRoutes(
  tag: string,
  rule: Access,
  { hideInput = false, isFrequent = false }: { readonly hideInput?: boolean; readonly isFrequent?: boolean } = {},
) {
  const config: FastifyContextConfig & { readonly access: Access; readonly isFrequent?: boolean } = {
    ...access(rule),
    ...(hideInput ? { hideInput } : {}),
    ...(isFrequent ? { isFrequent } : {}),
  }
  return <Schema extends FastifySchema & { readonly summary: string }>(schema: Schema) => ({
    config,
    schema: { tags: [tag], ...schema },
  })
}

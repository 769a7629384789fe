import type { FastifyContextConfig, FastifySchema } from "fastify"
import type { OpenAiErrors } from "../errors/openai-error.ts"
import { access, type Access } from "../auth/access.ts"

export interface RouteOptions {
  /** Errors do not repeat what a caller sent, such as a key instead of its name. Default false. */
  readonly hideInput?: boolean
  /** The log has requests at level `debug`, because they would hide all others. Default false. */
  readonly isFrequent?: boolean
  /** Writes errors for clients of OpenAI's API. Default: only in our form. */
  readonly openAi?: OpenAiErrors
}

/**
 * Returns a function that describes routes in the way of Fastify: under `tag` in the OpenAPI description, for callers whom `rule`
 * permits.
 */
export function describeRoutes(tag: string, rule: Access, options: RouteOptions = {}) {
  const { hideInput = false, isFrequent = false, openAi } = options
  const config: FastifyContextConfig & { readonly access: Access } & RouteOptions = {
    ...access(rule),
    ...(hideInput ? { hideInput } : {}),
    ...(isFrequent ? { isFrequent } : {}),
    ...(openAi === undefined ? {} : { openAi }),
  }
  return <Schema extends FastifySchema & { readonly summary: string }>(schema: Schema) => ({
    config,
    schema: { tags: [tag], ...schema },
  })
}

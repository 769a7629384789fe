import type { Context } from "../context.ts"

/** Returns the context for the server that `--server` names. */
export function withServer(context: Context, server: string | undefined): Context {
  return server === undefined ? context : { ...context, env: { ...context.env, ASSAY_URL: server } }
}

import { createClient, type Client, type ClientOptions } from "@assay/client"
import { createHttpFetch, type HttpFetchOptions } from "@assay/http/node"
import { DEFAULT_SERVER_URL } from "@assay/schemas"
import type { Context } from "./context.ts"

/** Returns the workspace of names without a workspace. */
export function defaultWorkspace({ env }: Pick<Context, "env">): string {
  return env["ASSAY_WORKSPACE"] || "default"
}

type ClientContext = Pick<Context, "env" | "sleep" | "random" | "fetch" | "traced">

/** Creates a client of the server that `--server` or ASSAY_URL names. It ends connections that are silent for too long. */
export function openClient(context: ClientContext, transport: HttpFetchOptions = {}): Client {
  return createClient(clientOptions(context, transport))
}

/** Returns the options of that client. */
export function clientOptions(context: ClientContext, transport: HttpFetchOptions = {}): ClientOptions {
  const { env, sleep, random } = context
  const token = env["ASSAY_TOKEN"]
  const fetch = context.fetch ?? createHttpFetch(transport)
  return {
    url: env["ASSAY_URL"] || DEFAULT_SERVER_URL,
    ...(token === undefined || token === "" ? {} : { token }),
    fetch: context.traced?.(fetch) ?? fetch,
    retry: { sleep, random },
  }
}

import { createClient, type Client } from "@assay/client"
import type { Context } from "./context.ts"
import { createHttpFetch, type HttpFetchOptions } from "./http/create-http-fetch.ts"

export const DEFAULT_URL = "http://127.0.0.1:8080"

/** A client of the server that ASSAY_URL names, which gives up connections that are silent for too long. */
export function openClient(
  context: Pick<Context, "env" | "sleep" | "random" | "fetch">,
  transport: HttpFetchOptions = {},
): Client {
  const { env, sleep, random } = context
  const token = env["ASSAY_TOKEN"]
  return createClient({
    url: env["ASSAY_URL"] || DEFAULT_URL,
    ...(token === undefined || token === "" ? {} : { token }),
    fetch: context.fetch ?? createHttpFetch(transport),
    retry: { sleep, random },
  })
}

import { isAssayError } from "@assay/schemas/errors"
import { QueryClient } from "@tanstack/react-query"

/** Milliseconds that an answer counts as fresh. A new page asks again, but the parts of one page share an answer. */
const FRESH_MS = 2000
/** Milliseconds that an unused answer is kept. The pages of large tables would fill the memory otherwise. */
const KEPT_MS = 60_000

/**
 * Creates the memory of answers that pages share. The client repeats failed calls itself; the memory only has answers to show, and
 * a server that is away, which is asked again until it is back.
 */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        retry: (_failures, error) => isUnreachable(error),
        retryDelay: 2000,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  })
}

/** Returns whether an error says that the server is away, so that the same call can succeed later. */
export function isUnreachable(error: unknown): boolean {
  return isAssayError(error, "server_unreachable") || isAssayError(error, "unavailable")
}

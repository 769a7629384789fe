import type { FetchResponse } from "./fetch.ts"

/** Reads what nobody needs, so that the connection is free for the next call. */
export async function discardBody({ body }: FetchResponse): Promise<void> {
  for await (const _piece of body ?? []);
}

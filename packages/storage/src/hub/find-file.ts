import { isAssayError } from "@assay/schemas"
import type { RemoteTarget } from "../remote/remote-error.ts"
import { noHub } from "./client.ts"
import type { HubContext } from "./hub-context.ts"
import { createHubFetch } from "./hub-fetch.ts"
import { parseEntry, type HubFile } from "./hub-file.ts"
import { hubAddress } from "./hub-repository.ts"

/** The file at a path; undefined for a folder, and where nothing is. */
export async function findFile(
  hub: HubContext,
  path: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<HubFile | undefined> {
  const remembered = hub.memory.find(path)
  if (remembered !== undefined) return remembered ?? undefined
  const { repository, revision } = hub
  const { pathsInfo } = await import("@huggingface/hub")
  try {
    const entries = await pathsInfo({
      repo: { type: repository.type, name: repository.encodedId },
      revision,
      paths: [path],
      hubUrl: hubAddress(repository),
      fetch: createHubFetch(hub, target, { signal }),
    })
    return entries.map(parseEntry).find((file) => file?.path === path)
  } catch (error) {
    // The last refusal of a hub whose time is over says more than the deadline does.
    if (isAssayError(error, "upstream_timeout")) throw error
    signal?.throwIfAborted()
    if (isAssayError(error, "not_found")) return undefined
    if (isAssayError(error)) throw error
    throw noHub(target, "what it tells of the path can't be read", error)
  }
}

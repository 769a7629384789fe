import { isAssayError } from "@assay/schemas"
import { compareCodePoints } from "../compare-code-points.ts"
import type { RemoteTarget } from "../remote/remote-error.ts"
import { noHub } from "./client.ts"
import type { ListOptions } from "../storage.ts"
import type { HubContext } from "./hub-context.ts"
import { createHubFetch } from "./hub-fetch.ts"
import { parseEntry, type HubFile } from "./hub-file.ts"
import { encodePath, hubAddress } from "./hub-repository.ts"

/**
 * Every file below a folder (empty: all), sorted by path. The hub lists folders before files, so that all pages are read
 * and sorted before the first file is known: some 200 bytes of memory a file. Empty where no such folder is.
 */
export async function listTree(
  hub: HubContext,
  folder: string,
  target: RemoteTarget,
  { signal, onProgress }: Pick<ListOptions, "signal" | "onProgress"> = {},
): Promise<readonly HubFile[]> {
  const remembered = hub.memory.list(folder)
  if (remembered !== undefined) return remembered
  const { repository, revision } = hub
  const { listFiles } = await import("@huggingface/hub")
  const entries = listFiles({
    repo: { type: repository.type, name: repository.encodedId },
    revision,
    // The library sends it as it is.
    path: encodePath(folder),
    recursive: true,
    hubUrl: hubAddress(repository),
    fetch: createHubFetch(hub, target, { signal, onPage: onProgress }),
  })
  const start = folder === "" ? "" : `${folder}/`
  const files: HubFile[] = []
  try {
    for await (const entry of entries) {
      const file = parseEntry(entry)
      if (file !== undefined && file.path.startsWith(start)) files.push(file)
    }
  } catch (error) {
    // The last refusal of a hub whose time is over says more than the deadline does.
    if (isAssayError(error, "upstream_timeout")) throw error
    signal?.throwIfAborted()
    if (isAssayError(error, "not_found")) return []
    if (isAssayError(error)) throw error
    throw noHub(target, "its listing can't be read", error)
  }
  files.sort((a, b) => compareCodePoints(a.path, b.path))
  hub.memory.keep(folder, files)
  return files
}

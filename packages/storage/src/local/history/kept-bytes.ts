import { opendir, unlink } from "node:fs/promises"
import { createMemoryDigestIndex } from "../../digest-index.ts"
import { HISTORY_FOLDER, type KeptBytes } from "../../file-history.ts"
import { parseFilePath } from "../../file-path.ts"
import type { LocalContext } from "../context.ts"
import { isMissing, onDisk } from "../errors.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import { systemPath } from "../folders/root.ts"
import { readFile } from "../read.ts"

/** Opens the kept bytes in the hidden folder of a local storage. */
export function openKeptBytes(local: LocalContext): KeptBytes {
  const root = systemPath(local.root, HISTORY_FOLDER)
  const inside = { ...local, root, digests: createMemoryDigestIndex() }
  return {
    read: async (id, options = {}) => readFile(inside, parseFilePath(id), options),
    remove: (id) =>
      onDisk("delete", id, async () => {
        await unlink(systemPath(root, parseFilePath(id))).catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
      }),
    async *list() {
      // Most storages keep nothing, and the error of a missing folder costs ten times as much as this call.
      if (metadataCalls.find(root) === undefined) return
      const entries = await opendir(root).catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      })
      if (entries !== undefined) for await (const entry of entries) if (entry.isFile()) yield entry.name
    },
    async size(id) {
      const stats = metadataCalls.find(systemPath(root, parseFilePath(id)))
      return stats?.isFile() === true ? Number(stats.size) : undefined
    },
    locate: (id) => systemPath(root, parseFilePath(id)),
  }
}

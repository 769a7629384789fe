import type { Storage } from "./storage.ts"

/**
 * Whether a storage serves what its configuration names: its listing begins, and where it is pinned to a revision, the
 * first byte of the first file comes, since a gated repository shows its listing to everybody. A storage without files
 * passes.
 * @throws what stands in the way, as the adapter says it
 */
export async function probeStorage(storage: Storage, signal?: AbortSignal): Promise<void> {
  for await (const { path, size } of storage.list({ signal })) {
    if (!storage.capabilities.revisions) return
    const range = size === 0 ? undefined : ({ kind: "from", start: 0, end: 0 } as const)
    const { bytes } = await storage.read(path, { range, signal })
    const pieces = bytes[Symbol.asyncIterator]()
    await pieces.next()
    await pieces.return?.()
    return
  }
}

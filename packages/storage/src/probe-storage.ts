import type { Storage } from "./storage.ts"

/**
 * Whether a storage serves what its configuration names: its listing begins, and where it is pinned to a revision, the
 * first byte of the first file comes, since a gated repository shows its listing to everybody. A storage without files
 * passes.
 * @throws what stands in the way, as the adapter says it
 */
export async function probeStorage(storage: Storage, signal?: AbortSignal): Promise<void> {
  const aborting = signal === undefined ? {} : { signal }
  for await (const { path, size } of storage.list(aborting)) {
    if (!storage.capabilities.revisions) return
    const oneByte = size === 0 ? {} : { range: { kind: "from", start: 0, end: 0 } as const }
    const { bytes } = await storage.read(path, { ...oneByte, ...aborting })
    const pieces = bytes[Symbol.asyncIterator]()
    await pieces.next()
    await pieces.return?.()
    return
  }
}

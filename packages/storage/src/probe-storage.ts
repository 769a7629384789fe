import type { Storage } from "./storage.ts"

/**
 * Checks that a storage can be used: its listing begins and, if it has revisions, the first byte of the first file can
 * be read, because a gated repository lists its files to everybody. A storage without files passes.
 * @throws the error of the adapter
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

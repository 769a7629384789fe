import { useEntry, type CacheBasis } from "./cache-entry.ts"

/** Whether `key` is cached and its bytes are all there. */
export async function hasEntry(basis: CacheBasis, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  const options = signal === undefined ? {} : { signal }
  const found = await useEntry(
    basis,
    key,
    async (storage, place, { facts: { size } }) =>
      (await storage.stat(place, options)).size === size ? true : undefined,
    signal,
  )
  return found ?? false
}

import type { XetStores } from "./xet-stores.ts"

/**
 * Returns a number that grows each time that chunks of the fileset were lost. Clients remember for weeks which chunks they have sent to an
 * address, so each state has an address of its own. Notes which files have changed or are gone.
 */
export async function readChunkState({ xet, registry, repository, fileset }: XetStores): Promise<number> {
  const { ws, name } = repository
  const known = await xet.committedDigests(fileset)
  if (known.length > 0) {
    const present = await registry.revisions.find(ws, name, known)
    const gone = known.filter((sha256) => (present.get(sha256) ?? []).length === 0)
    if (gone.length > 0) await xet.markFormer(fileset, gone)
  }
  return xet.losses(fileset)
}

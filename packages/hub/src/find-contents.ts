import { type CallerFilesets, runsOf } from "@assay/filesets"
import type { Repository } from "./hub-address.ts"

/** An object as a client names it. */
export interface NamedObject {
  /** Lower-case hex. */
  readonly oid: string
  readonly size: number
}

interface FindOptions {
  /** Whether to read files of the wanted sizes whose digest is not known. */
  readonly isRead: boolean
}

/**
 * Finds files by content, and returns their sizes by digest. It looks at every file once, for any number of objects.
 * @throws `unavailable` while files are read for their digests; the next call continues
 */
export async function findContents(
  { revisions }: CallerFilesets,
  { ws, name }: Repository,
  { wanted, isRead }: { readonly wanted: readonly NamedObject[] } & FindOptions,
): Promise<ReadonlyMap<string, number>> {
  const oids = wanted.map(({ oid }) => oid)
  const found = new Map<string, number>()
  for (const [oid, [file]] of await revisions.find(ws, name, oids)) if (file !== undefined) found.set(oid, file.size)
  const missing = new Set(oids.filter((oid) => !found.has(oid)))
  if (!isRead || missing.size === 0) return found
  const sizes = new Set(wanted.filter(({ oid }) => missing.has(oid)).map(({ size }) => size))
  const { files } = await revisions.get(ws, name)
  for await (const run of runsOf(files)) {
    const unknown = run.filter(({ sha256, size }) => sha256 === null && sizes.has(size))
    const digests = unknown.length === 0 ? [] : await revisions.digests(ws, name, unknown)
    for (const [index, { size }] of unknown.entries()) {
      const oid = digests[index]
      if (typeof oid === "string" && missing.delete(oid)) found.set(oid, size)
    }
    if (missing.size === 0) break
  }
  return found
}

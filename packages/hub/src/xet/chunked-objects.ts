import type { PendingObject, PendingObjects } from "@assay/uploads"
import type { FilePath } from "@assay/storage"
import { areCovered, createChunkFinder } from "./find-chunks.ts"
import { parseTerms } from "./format/file-terms.ts"
import { readTerms } from "./read-terms.ts"
import { xorbObject, type XetStores } from "./xet-stores.ts"

/** The pending objects of a fileset, among them those that a client sent as chunks. A commit makes files of both. */
export interface ChunkedObjects extends PendingObjects {
  /** Returns whether nobody else uses the memory of the bytes that `read` yields. */
  ownsBytes(object: PendingObject): Promise<boolean>
  /** Returns the files from which the bytes of a pending object come. None: it was not sent as chunks, or they wait in xorbs. */
  readsFrom(sha256: string): Promise<ReadonlySet<FilePath>>
  /** Notes that files have these contents now. Xorbs whose chunks are all in files are removed. */
  noteCommitted(sha256s: readonly string[]): Promise<void>
}

export function openChunkedObjects(stores: XetStores): ChunkedObjects {
  const { xet, objects, fileset } = stores
  return {
    ...objects,
    async size(object) {
      return (await objects.size(object)) ?? (await xet.file(fileset, object.sha256, "pending"))?.size
    },
    async *read(object, part) {
      const isWhole = (await objects.size(object)) !== undefined
      const file = isWhole ? undefined : await xet.file(fileset, object.sha256, "pending")
      if (file === undefined) yield* objects.read(object, part)
      else yield* readTerms(stores, createChunkFinder(stores), parseTerms(file.terms), part)
    },
    ownsBytes: async (object) => (await objects.size(object)) === undefined,
    async remove(object) {
      await objects.remove(object)
      const waiting = await xet.pendingAmong(fileset, [object.sha256])
      if (waiting.length > 0) await xet.forgetPending(fileset, waiting)
    },
    async readsFrom(sha256) {
      const paths = new Set<FilePath>()
      if ((await objects.size({ fileset, sha256 })) !== undefined) return paths
      const file = await xet.file(fileset, sha256, "pending")
      const finder = createChunkFinder(stores)
      for (const term of parseTerms(file?.terms ?? new Uint8Array(0))) {
        for (const { path } of await finder.sources(term)) if (path !== undefined) paths.add(path)
      }
      return paths
    },
    async noteCommitted(sha256s) {
      const committed = await xet.pendingAmong(fileset, sha256s)
      if (committed.length === 0) return
      await xet.markCommitted(fileset, committed)
      await removeCovered(stores, committed)
    },
  }
}

/** Removes the xorbs of files that are committed, if files have all their chunks. Others expire. */
async function removeCovered(stores: XetStores, sha256s: readonly string[]): Promise<void> {
  const { xet, objects, fileset } = stores
  const finder = createChunkFinder(stores)
  const xorbs = new Set<string>()
  for (const sha256 of sha256s) {
    const file = await xet.file(fileset, sha256, "committed")
    for (const { xorb } of parseTerms(file?.terms ?? new Uint8Array(0))) xorbs.add(xorb)
  }
  for (const xorb of xorbs) {
    if (!(await finder.isWaiting(xorb))) continue
    const { length } = await finder.chunksOf(xorb)
    if (areCovered(length, await finder.spans(xorb))) await objects.remove(xorbObject(stores, xorb))
  }
}

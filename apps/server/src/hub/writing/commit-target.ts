import type { CallerRegistry } from "@assay/registry"
import type { ObjectStore } from "../../uploads/object-store.ts"

/** A fileset that is committed to, on behalf of a caller. */
export interface CommitTarget {
  readonly ws: string
  readonly name: string
  /** Id of the fileset. */
  readonly fileset: string
  readonly registry: CallerRegistry
  readonly objects: ObjectStore
  /** Reads bytes that are to become the file `path` as far as its rows are enforced. @throws `invalid_request` */
  readonly checkRows: (path: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
}

/** Lets bytes wait under their digest. */
export async function keepObject(
  { objects, fileset }: CommitTarget,
  { sha256, size }: { readonly sha256: string; readonly size: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  const key = await objects.start({ fileset, sha256 }, size)
  await objects.put({ fileset, sha256, size, key }, bytes)
}

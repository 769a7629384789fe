import type { CallerFilesets } from "@assay/filesets"
import { type PendingObject, type PendingObjects, type XetRecords, XORB_OBJECT } from "@assay/uploads"
import type { Repository } from "../hub-address.ts"

/** Where the chunks of one fileset are: in xorbs that wait, and in its files. */
export interface XetStores {
  readonly xet: XetRecords
  readonly objects: PendingObjects
  readonly registry: CallerFilesets
  readonly repository: Repository
  /** Id of the fileset. */
  readonly fileset: string
}

/** Returns the pending object with the bytes of a xorb. */
export function xorbObject({ fileset }: Pick<XetStores, "fileset">, hash: string): PendingObject {
  return { fileset, sha256: `${XORB_OBJECT}${hash}` }
}

import { type Fileset, vendorStorage } from "@assay/schemas"
import type { Services } from "../services.ts"

/** Returns a fileset with the names of storages that this server uses on the wire. */
export function present<T extends Fileset>(fileset: T, { wireNames }: Pick<Services, "wireNames">): T {
  if (wireNames !== "vendor") return fileset
  return { ...fileset, storage: vendorStorage(fileset.storage) as Fileset["storage"] }
}

import type { Fileset } from "../filesets/fileset.ts"
import type { Filter } from "../filter/filter.ts"
import { matchesRecord } from "../filter/matches-record.ts"

/** Returns whether a fileset satisfies `filter`. */
export function matchesFilter(fileset: Fileset, filter: Filter): boolean {
  return matchesRecord({ ...fileset, storage_type: fileset.storage.type }, filter)
}

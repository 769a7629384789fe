import { badFilter } from "./bad-filter.ts"
import { isFilterColumn, isMapColumn } from "./fileset-filter-fields.ts"
import type { FilterPlace } from "./filter-syntax.ts"
import type { FilterField } from "./filter.ts"
import { FILTER_LIMITS } from "./filter-limits.ts"
import { unknownFilterField } from "./unknown-filter-field.ts"

/**
 * The field that `keys` name, with or without a leading `data` before a free-form map. `metadata` and `custom_fields`
 * alone have an empty path: they can be gone into, not compared.
 *
 * @throws `unknown_filter_field` that names it as `written`, and `bad_filter` where the path is too long
 */
export function resolveFilterField(keys: readonly string[], written: string, place: FilterPlace): FilterField {
  const isWrapped = keys[0] === "data" && keys[1] !== undefined && isMapColumn(keys[1])
  const [column, ...path] = isWrapped ? keys.slice(1) : keys
  if (column === undefined || !isFilterColumn(column)) throw unknownFilterField(written)
  if (path.length > 0 && !isMapColumn(column)) throw unknownFilterField(written)
  if (path.length > FILTER_LIMITS.path) {
    throw badFilter(`the path has ${path.length} keys; the limit is ${FILTER_LIMITS.path}`, place)
  }
  return { column, path }
}

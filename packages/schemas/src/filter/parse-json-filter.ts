import type { Filter } from "./filter.ts"
import { readFilter } from "./read-filter.ts"
import { readJson } from "./read-json.ts"

/**
 * The JSON form: `{"name": {"$like": "a"}, "purpose": "dataset"}`.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
export function parseJsonFilter(text: string): Filter {
  return readFilter(readJson(text, "filter"), ["query", "filter"])
}

import { canonicalJson } from "./canonical-json.ts"

/**
 * Whether two values are the same JSON: the order of keys does not count, that of elements does, `1.0` is `1`.
 * @throws `invalid_request` where one is nested more deeply than can be compared
 */
export function isJsonEqual(left: unknown, right: unknown): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right)
}

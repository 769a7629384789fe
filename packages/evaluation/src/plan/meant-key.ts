import { nearestNames } from "@assay/schemas"

/**
 * Returns a sentence about a key of `body` that may mean the missing key `wanted`, with a space before it; empty without one.
 * @param known keys that have a meaning of their own
 */
export function meantKey(body: object, wanted: string, known: object): string {
  const others = Object.keys(body).filter((key) => !Object.hasOwn(known, key))
  const [near] = nearestNames(wanted, others, 1)
  return near === undefined ? "" : ` '${near}' has no effect here; did you mean '${wanted}'?`
}

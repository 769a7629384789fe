import { isObject } from "@assay/json"

/**
 * Returns the value at a path of claims, such as `realm_access.roles`, or undefined. A name can contain dots, as in `https://example.com/roles`:
 * the longest name that exists is taken. Only own properties count, so that `__proto__` and `constructor` are names like others.
 */
export function readClaim(held: unknown, path: string): unknown {
  if (!isObject(held)) return undefined
  if (Object.hasOwn(held, path)) return held[path]
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot)
    if (Object.hasOwn(held, name)) return readClaim(held[name], path.slice(dot + 1))
  }
  return undefined
}

/**
 * Returns the texts of a claim: of a text, a whole number or a truth value, or of a list of them. Anything else is left out, also a number that
 * JavaScript rounds: it would be equal to its neighbours.
 */
export function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((one) => {
    if (typeof one === "string") return [one]
    return Number.isSafeInteger(one) || typeof one === "boolean" ? [String(one)] : []
  })
}

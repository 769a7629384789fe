import { isJsonObject } from "@assay/json"

/** Maximum number of keys of a path. */
export const MAX_PATH = 32

/** Splits a path of a state: `orders.A1`, or `$.orders.A1`. Returns undefined if it is empty or too long. */
export function parseStatePath(path: string): readonly string[] | undefined {
  const keys = path.replace(/^\$\.?/, "").split(".")
  return keys.length > MAX_PATH || keys.some((key) => key === "") ? undefined : keys
}

/** Returns a copy of a state with the value at a path. Objects on the way are created; a list is indexed by its numbers. */
export function withValueAt(state: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(state) && Object.hasOwn(state, key)) {
    const items: readonly unknown[] = state
    return items.map((item, at) => (String(at) === key ? withValueAt(item, rest, value) : item))
  }
  const object = isJsonObject(state) ? state : {}
  const inner = Object.hasOwn(object, key) ? object[key] : undefined
  // `fromEntries` also creates a key named `__proto__`.
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== key),
    [key, withValueAt(inner, rest, value)],
  ])
}

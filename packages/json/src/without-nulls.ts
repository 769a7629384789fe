import { isObject } from "./is-object.ts"

/** Returns a body without its fields of null, and without those of the objects that `nested` names. For some clients, null means absent. */
export function withoutNulls(body: unknown, nested: readonly string[] = []): unknown {
  if (!isObject(body)) return body
  const given = Object.entries(body).filter(([, value]) => value !== null)
  const clean = (key: string, value: unknown) => (nested.includes(key) ? withoutNulls(value, nested) : value)
  return Object.fromEntries(given.map(([key, value]) => [key, clean(key, value)]))
}

/** Below these keys stand objects of the same kind: fields that can be there or not. */
const NESTED = ["target", "config"] as const

/** A body in which null means, as for clients of the first version, that a field is not given. */
export function withoutNulls(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body
  const given = Object.entries(body).filter(([, value]) => value !== null)
  return Object.fromEntries(
    given.map(([key, value]) => [key, (NESTED as readonly string[]).includes(key) ? withoutNulls(value) : value]),
  )
}

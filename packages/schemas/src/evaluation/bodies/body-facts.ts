import type { BodyFields } from "./body-fields.ts"
import { inlineKeysOf } from "./inline-key.ts"
import { type FoundField, keepField, mapFields } from "./map-fields.ts"

/** The names and contents of a body, in the order of its fields. */
export interface BodyFacts {
  /** The fields of the kind `endpoint`. */
  readonly endpoints: readonly FoundField[]
  /** References to secrets, as they are written. */
  readonly secretReferences: readonly string[]
  /** The keys that are written inline, each once. */
  readonly inlineKeys: readonly string[]
}

/** Reads the endpoints, the references to secrets and the inline keys of a body in one walk. */
export function readBodyFacts(body: unknown, fields?: BodyFields): BodyFacts {
  const endpoints: FoundField[] = []
  const secretReferences: string[] = []
  const keys = new Set<string>()
  // Depths of the field around: below custom fields nothing is a reference, and below a harness no key is stored.
  let customDepth = Infinity
  let harnessDepth = Infinity
  mapFields(
    body,
    (field, path) => {
      const { kinds, value } = field
      const depth = path.length
      if (depth <= customDepth) customDepth = Infinity
      if (depth <= harnessDepth) harnessDepth = Infinity
      if (harnessDepth === Infinity) for (const key of inlineKeysOf(field)) keys.add(key)
      if (customDepth === Infinity) {
        if (kinds.includes("endpoint")) endpoints.push({ ...field, path: path.map(String) })
        if (kinds.includes("secret-reference") && typeof value === "string") secretReferences.push(value)
      }
      if (kinds.includes("rows")) return keepField(field)
      if (kinds.includes("custom-fields")) customDepth = Math.min(customDepth, depth)
      if (kinds.includes("harness")) harnessDepth = Math.min(harnessDepth, depth)
      return undefined
    },
    fields,
  )
  return { endpoints, secretReferences, inlineKeys: [...keys] }
}

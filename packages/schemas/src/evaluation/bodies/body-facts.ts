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
  // The fields around: below custom fields nothing is a reference, and below a harness no key is stored.
  let custom: Path | undefined
  let harness: Path | undefined
  mapFields(
    body,
    (field, path) => {
      const { kinds, value } = field
      if (custom !== undefined && !isBelow(custom, path)) custom = undefined
      if (harness !== undefined && !isBelow(harness, path)) harness = undefined
      if (harness === undefined) for (const key of inlineKeysOf(field)) keys.add(key)
      if (custom === undefined) {
        if (kinds.includes("endpoint")) endpoints.push({ ...field, path: path.map(String) })
        if (kinds.includes("secret-reference") && typeof value === "string") secretReferences.push(value)
      }
      if (kinds.includes("rows")) return keepField(field)
      if (kinds.includes("custom-fields")) custom ??= [...path]
      if (kinds.includes("harness")) harness ??= [...path]
      return undefined
    },
    fields,
  )
  return { endpoints, secretReferences, inlineKeys: [...keys] }
}

type Path = readonly (string | number)[]

/** Returns whether a path leads into the field at another one. Their lengths do not say it, because lists can be of lists. */
function isBelow(field: Path, path: Path): boolean {
  return path.length > field.length && field.every((part, at) => part === path[at])
}

import { BODY_FIELDS, type BodyFields, type FieldKind } from "./body-fields.ts"

/** A field of an object at any depth of a body. */
export interface BodyField {
  readonly name: string
  readonly value: unknown
  /** What the table of fields says about the name; often empty. */
  readonly kinds: readonly FieldKind[]
  /** For a key that may be written inline: the field that refers to its secret. */
  readonly reference: string | undefined
}

/**
 * Returns the fields that replace `field`, which are not visited again. If it returns undefined, the field stays, and the visit
 * goes on inside its value. `path` has the names and indexes that lead to the field; it is valid during the call only.
 */
export type ChangeField = (field: BodyField, path: readonly string[]) => Readonly<Record<string, unknown>> | undefined

/** What the entries of an object are: fields of a body, fields of a harness, or references to secrets under other names. */
type Entries = "fields" | "harness" | "references"

const REFERENCE: readonly FieldKind[] = ["secret-reference"]

/**
 * Visits every field of a body, and returns the body with the replacements of `change`. A replacement wins over a sibling of the
 * same name. Parts without a replacement keep their identity.
 */
export function mapFields<T>(body: T, change: ChangeField, fields: BodyFields = BODY_FIELDS): T {
  const path: string[] = []

  function mapValue(value: unknown, entries: Entries): unknown {
    if (typeof value !== "object" || value === null) return value
    if (!Array.isArray(value)) return mapObject(value as Readonly<Record<string, unknown>>, entries)
    const parts = value.map((part, index) => at(String(index), () => mapValue(part, "fields")))
    return parts.some((part, index) => part !== value[index]) ? parts : value
  }

  function mapObject(object: Readonly<Record<string, unknown>>, entries: Entries): unknown {
    // A map and `fromEntries`, since a field may be called `__proto__`.
    const mapped = new Map<string, unknown>()
    const replaced = new Set<string>()
    let isChanged = false
    for (const [name, value] of Object.entries(object)) {
      const kinds = entries === "references" ? REFERENCE : fields.kindsOf(name)
      const reference = entries === "references" ? undefined : fields.referenceOf(name)
      path.push(name)
      const replacement = change({ name, value, kinds, reference }, path)
      if (replacement === undefined) {
        const inner = mapValue(value, entriesOf(name, kinds, entries))
        if (!replaced.has(name)) mapped.set(name, inner)
        isChanged ||= inner !== value
      } else {
        for (const [other, part] of Object.entries(replacement)) {
          replaced.add(other)
          mapped.set(other, part)
          isChanged ||= part !== object[other]
        }
      }
      path.pop()
    }
    return isChanged ? Object.fromEntries(mapped) : object
  }

  function at<Value>(name: string, visit: () => Value): Value {
    path.push(name)
    const value = visit()
    path.pop()
    return value
  }

  return mapValue(body, "fields") as T
}

function entriesOf(name: string, kinds: readonly FieldKind[], around: Entries): Entries {
  if (kinds.includes("harness")) return "harness"
  return around === "harness" && name === "secrets" ? "references" : "fields"
}

/** Leaves a field as it is, and does not visit its value. */
export function keepField({ name, value }: BodyField): Readonly<Record<string, unknown>> {
  return { [name]: value }
}

/** Returns whether a field holds data of the user, in which no name has a meaning. */
export function isUserData({ kinds }: BodyField): boolean {
  return kinds.includes("rows") || kinds.includes("custom-fields")
}

export interface FoundField extends BodyField {
  /** The names and indexes that lead to the field. */
  readonly path: readonly string[]
}

/** Finds every field of a kind outside of data of the user. */
export function findFields(body: unknown, kind: FieldKind, fields?: BodyFields): readonly FoundField[] {
  const found: FoundField[] = []
  mapFields(
    body,
    (field, path) => {
      if (field.kinds.includes(kind)) found.push({ ...field, path: [...path] })
      return isUserData(field) ? keepField(field) : undefined
    },
    fields,
  )
  return found
}

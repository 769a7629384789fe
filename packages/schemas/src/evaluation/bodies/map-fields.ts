import { BODY_FIELDS, type BodyFields, type FieldKind } from "./body-fields.ts"

/** A field of an object at any depth of a body. */
export interface BodyField {
  readonly name: string
  readonly value: unknown
  /** The kinds that the table of fields has for the name; often empty. */
  readonly kinds: readonly FieldKind[]
  /** For a key that may be written inline: the field that refers to its secret. */
  readonly reference: string | undefined
}

/**
 * Returns the fields that replace `field`, which are not visited again. If it returns undefined, the field stays, and the visit
 * continues inside its value. `path` has the names and indexes that lead to the field; it is valid during the call only.
 */
export type ChangeField = (
  field: BodyField,
  path: readonly (string | number)[],
) => Readonly<Record<string, unknown>> | undefined

/** The meaning of the entries of an object: fields of a body, fields of a harness, or references to secrets under other names. */
type Entries = "fields" | "harness" | "references"

type Meaning = Pick<BodyField, "kinds" | "reference">

const REFERENCE: Meaning = { kinds: ["secret-reference"], reference: undefined }

/**
 * Visits every field of a body, and returns the body with the replacements of `change`. A replacement wins over a sibling of the
 * same name. Parts without a replacement keep their identity.
 */
export function mapFields<T>(body: T, change: ChangeField, fields: BodyFields = BODY_FIELDS): T {
  const path: (string | number)[] = []
  const known = new Map<string, Meaning>()

  /** Looks a name up once, since rows repeat the names of their columns. */
  function meaningOf(name: string): Meaning {
    let found = known.get(name)
    if (found === undefined)
      known.set(name, (found = { kinds: fields.kindsOf(name), reference: fields.referenceOf(name) }))
    return found
  }

  function mapValue(value: unknown, entries: Entries): unknown {
    if (typeof value !== "object" || value === null) return value
    return Array.isArray(value) ? mapList(value) : mapObject(value as Readonly<Record<string, unknown>>, entries)
  }

  function mapList(list: readonly unknown[]): readonly unknown[] {
    const parts = list.map((part, index) => {
      if (typeof part !== "object" || part === null) return part
      path.push(index)
      const inner = mapValue(part, "fields")
      path.pop()
      return inner
    })
    return parts.some((part, index) => part !== list[index]) ? parts : list
  }

  function mapObject(object: Readonly<Record<string, unknown>>, entries: Entries): unknown {
    const all = Object.entries(object)
    // Both begin with the first change. A map and `fromEntries`, since a field may be called `__proto__`.
    let mapped: Map<string, unknown> | undefined
    let replaced: Set<string> | undefined
    for (let index = 0; index < all.length; index += 1) {
      const [name, value] = all[index] as [string, unknown]
      const { kinds, reference } = entries === "references" ? REFERENCE : meaningOf(name)
      path.push(name)
      const replacement = change({ name, value, kinds, reference }, path)
      if (replacement === undefined) {
        const inner = mapValue(value, entriesOf(name, kinds, entries))
        if (mapped === undefined ? inner !== value : replaced?.has(name) !== true) {
          mapped ??= new Map(all.slice(0, index))
          mapped.set(name, inner)
        }
      } else if (mapped !== undefined || !isUnchanged(replacement, name, value)) {
        mapped ??= new Map(all.slice(0, index))
        replaced ??= new Set()
        for (const [other, part] of Object.entries(replacement)) {
          replaced.add(other)
          mapped.set(other, part)
        }
      }
      path.pop()
    }
    return mapped === undefined ? object : Object.fromEntries(mapped)
  }

  return mapValue(body, "fields") as T
}

function isUnchanged(replacement: Readonly<Record<string, unknown>>, name: string, value: unknown): boolean {
  const entries = Object.entries(replacement)
  return entries.length === 1 && entries[0]?.[0] === name && entries[0][1] === value
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
      if (field.kinds.includes(kind)) found.push({ ...field, path: path.map(String) })
      return isUserData(field) ? keepField(field) : undefined
    },
    fields,
  )
  return found
}

import type { Schema as SerializerSchema } from "fast-json-stringify"

/** The parts that matter here. */
interface Schema {
  readonly type?: unknown
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>
}

/** A schema, and the small schemas that it refers to, by their IDs. */
export interface DistinctUnions {
  readonly schema: SerializerSchema
  readonly marks: Record<string, SerializerSchema>
}

/**
 * Replaces unions whose options differ by one constant property, or by their type, by `if`, `then` and `else`. Unions of
 * other options stay.
 *
 * A serializer checks options with compiled validators, and compiles the schema that contains them as a whole: that took
 * most of the time of a first response. The property that distinguishes options is therefore a schema of its own.
 */
export function distinctUnions(whole: object): DistinctUnions {
  const marks: Record<string, SerializerSchema> = {}

  function replace(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(replace)
    if (typeof schema !== "object" || schema === null) return schema
    const { anyOf, oneOf, ...rest } = schema as Schema
    const chosen = anyOf === undefined || oneOf === undefined ? chooseOption(anyOf ?? oneOf ?? []) : undefined
    const parts = Object.entries(chosen === undefined ? schema : rest)
    return { ...Object.fromEntries(parts.map(([key, value]) => [key, replace(value)])), ...chosen }
  }

  /** Returns undefined if the options can't be distinguished. */
  function chooseOption(union: readonly Schema[]): object | undefined {
    const options = differentOptions(union.flatMap(optionsIn))
    const last = options.at(-1)
    if (last === undefined || !options.every((one, at) => options.slice(at + 1).every(isDistinctFrom(one))))
      return undefined
    const addOption = (otherwise: object, option: Schema): object => {
      const id = `mark-${Object.keys(marks).length}`
      marks[id] = markOf(option)
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      return { if: { $ref: `${id}#` }, then: replace(option), else: otherwise }
    }
    return options.slice(0, -1).reduceRight(addOption, replace(last) as object)
  }

  return { schema: replace(whole) as SerializerSchema, marks }
}

/** Parts of a schema that allow any value. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(["description", "title", "default", "examples"])

/** Returns one option for all constant texts, because they are written as any text is. */
function differentOptions(options: readonly Schema[]): Schema[] {
  const all = options.map((option) => (typeof option.const === "string" ? { type: "string" } : option))
  return [...new Map(all.map((option) => [JSON.stringify(option), option])).values()]
}

/** Returns a schema, or the options of a union and of the unions in it. */
function optionsIn(schema: Schema): readonly Schema[] {
  const { anyOf, oneOf, ...rest } = schema
  const options = anyOf ?? oneOf ?? []
  return options.length > 0 && Object.keys(rest).every((key) => SAYS_NOTHING.has(key))
    ? options.flatMap(optionsIn)
    : [schema]
}

function isDistinctFrom(one: Schema): (other: Schema) => boolean {
  const [name, value] = constantOf(one)
  return (other) => {
    if (typeof one.type !== "string" || typeof other.type !== "string") return false
    const [otherName, otherValue] = constantOf(other)
    return one.type !== other.type || (name !== undefined && name === otherName && value !== otherValue)
  }
}

/** Returns the marks that distinguish an option from others: its type, and a constant property if it has one. */
function markOf(option: Schema): SerializerSchema {
  const [name, value] = constantOf(option)
  const constant = name === undefined ? {} : { properties: { [name]: { const: value } }, required: [name] }
  return { type: option.type, ...constant } as SerializerSchema
}

/** Returns the name and the value of the first property that has only one value. */
function constantOf({ properties = {} }: Schema): readonly [name?: string, value?: unknown] {
  const found = Object.entries(properties).find(([, property]) => property.const !== undefined)
  return found === undefined ? [] : [found[0], found[1].const]
}

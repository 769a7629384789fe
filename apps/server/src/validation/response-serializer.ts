import type { WireNames } from "@assay/schemas"
import { vendorSchema, withoutIds, type CompileTime } from "@assay/validation"
import buildSerializer from "fast-json-stringify"
import type { FastifySerializerCompiler } from "fastify"
import { distinctUnions } from "./distinct-unions.ts"

type Serialize = (value: unknown) => string

/** Creates the serializer of responses. It writes only fields that the response schema names, with the given wire names. */
export function createSerializerCompiler(
  wireNames: WireNames,
  { isEager = false }: CompileTime,
): FastifySerializerCompiler<unknown> {
  // All routes share the same error schemas. Building a serializer per route would take half of the start-up time.
  const bySchema = new WeakMap<object, Serialize>()
  const byText = new Map<string, Serialize>()

  function build(schema: object): Serialize {
    const plain = withoutIds(schema)
    const wanted = wireNames === "vendor" ? vendorSchema(plain) : plain
    const text = JSON.stringify(wanted)
    const known = byText.get(text)
    if (known !== undefined) return known
    const { schema: distinct, marks } = distinctUnions(wanted as object)
    const serialize = rememberFrozen(buildSerializer(distinct, { schema: marks }))
    byText.set(text, serialize)
    return serialize
  }

  return ({ schema }) => {
    const key = schema as object
    const known = bySchema.get(key)
    if (known !== undefined) return known
    let built = isEager ? build(key) : undefined
    const serialize = (value: unknown) => (built ??= build(key))(value)
    bySchema.set(key, serialize)
    return serialize
  }
}

/** Serializes each frozen object once: the registry returns the same frozen listing until something changes. */
function rememberFrozen(serialize: Serialize): Serialize {
  const written = new WeakMap<object, string>()
  return (value) => {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return serialize(value)
    let text = written.get(value)
    if (text === undefined) {
      text = serialize(value)
      written.set(value, text)
    }
    return text
  }
}

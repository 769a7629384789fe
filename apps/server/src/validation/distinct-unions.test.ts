import { EvaluationJob, FilesetPage, ScoreComparison, StorageConfiguration } from "@assay/schemas"
import { withoutIds } from "@assay/validation"
import { Type } from "@sinclair/typebox"
import buildSerializer from "fast-json-stringify"
import { describe, expect, it } from "vitest"
import { distinctUnions } from "./distinct-unions.ts"

function serializersOf(schema: object): readonly ((value: unknown) => string)[] {
  const { schema: distinct, marks } = distinctUnions(schema)
  return [buildSerializer(structuredClone(schema)), buildSerializer(distinct, { schema: marks })]
}

const Named = Type.Object({ name: Type.String() })
const unions = {
  "objects with a constant property": [
    Type.Union([
      Type.Object({ type: Type.Literal("a"), size: Type.Number() }),
      Type.Object({ type: Type.Literal("b"), text: Type.String() }),
    ]),
    [
      { type: "a", size: 1, text: "is left out" },
      { type: "b", size: 1, text: "x" },
    ],
  ],
  "an object, a text or nothing": [
    Type.Union([Named, Type.String(), Type.Null()]),
    [{ name: "x", other: 1 }, "text", null],
  ],
  "a union in a union": [
    Type.Union([Type.Union([Type.Number(), Type.Literal("NaN")], { description: "A score." }), Type.Null()]),
    [1.5, "NaN", null],
  ],
  "constant texts": [Type.Union([Type.Literal(">="), Type.Literal("<=")]), [">=", "<="]],
} as const

describe("a union of", () => {
  it.each(Object.entries(unions))("%s has no compiled options, and is written as before", (_, [schema, values]) => {
    const { schema: distinct } = distinctUnions(Type.Array(schema))
    expect(JSON.stringify(distinct)).not.toMatch(/anyOf|oneOf/)
    const [before, after] = serializersOf(Type.Array(schema))
    expect(after?.(values)).toBe(before?.(values))
  })

  it("objects that only differ in other ways stays", () => {
    const schema = Type.Union([Named, Type.Object({ id: Type.String() })])
    expect(distinctUnions(schema)).toEqual({ schema: withoutIds(schema), marks: {} })
  })

  it("options with something in common keeps it", () => {
    const other = Type.Object({ name: Type.Null() })
    const schema = { type: "object", properties: { id: { type: "string" } }, anyOf: [Named, other] }
    const [before, after] = serializersOf(schema)
    const value = { id: "1", name: "x", other: true }
    expect(after?.(value)).toBe(before?.(value))
    expect(after?.(value)).toBe('{"name":"x","id":"1"}')
  })
})

it("No response of a fileset, a job or a comparison has options that would be compiled as a whole", () => {
  for (const schema of [StorageConfiguration, FilesetPage, EvaluationJob, ScoreComparison]) {
    expect(JSON.stringify(distinctUnions(schema).schema)).not.toMatch(/anyOf|oneOf/)
  }
})

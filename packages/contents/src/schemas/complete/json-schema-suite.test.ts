import { readFileSync } from "node:fs"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { compileRowSchema } from "../compile/compile-row-schema.ts"
import { createAjv, createSchemaSyntax } from "../compile/create-ajv.ts"
import { DIALECT_ADDRESSES, type Dialect } from "../compile/dialect.ts"
import { linkDefinitions } from "../compile/link-definitions.ts"
import { isJsonObject, type JsonSchema } from "../json-schema.ts"
import { compileComplete } from "./compile-complete.ts"

interface Group {
  readonly file: string
  readonly description: string
  readonly schema: JsonSchema | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const SUITES: readonly (readonly [Dialect, string])[] = [
  ["2020-12", "draft2020-12"],
  ["draft-07", "draft7"],
]

function linesOf(name: string): readonly unknown[] {
  const text = readFileSync(new URL(`../../testing/json-schema-suite/${name}.jsonl`, import.meta.url), "utf8")
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown)
}

/** Returns an object, because a row schema must be one. */
function rowSchema(schema: JsonSchema | boolean, dialect: Dialect): JsonSchema {
  const object = isJsonObject(schema) ? schema : { allOf: [schema] }
  return { $schema: DIALECT_ADDRESSES[dialect], ...object }
}

/** Expected reasons for refusing schemas of the suite. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/nothing is fetched/, "refers to another server"],
  [/can't be searched in linear time/, "has a pattern that RE2 does not know"],
  [/^has the \$schema .* which is not known/, "is of another dialect"],
  [/enum must have non-empty array/, "has an empty enum"],
]

describe.each(SUITES)("the official JSON Schema tests of %s", (dialect, name) => {
  const groups = linesOf(name) as readonly Group[]

  it("are answered correctly, or their schema is refused by name", verifies("contents.schemas.complete"), () => {
    const syntax = createSchemaSyntax()
    const wrong: string[] = []
    const refused: Record<string, number> = {}
    let asked = 0
    for (const { file, description, schema, tests } of groups) {
      try {
        const compiled = compileRowSchema(rowSchema(schema, dialect), {}, { allErrors: true, syntax })
        for (const { description: test, data, valid } of tests) {
          asked++
          const answers = [compiled.isValid(data), compiled.errorsOf(data).length === 0]
          if (answers.some((answer) => answer !== valid)) wrong.push(`${file}: ${description}: ${test}`)
        }
      } catch (error) {
        const [, why = String(error)] = REFUSALS.find(([pattern]) => pattern.test((error as Error).message)) ?? []
        refused[why] = (refused[why] ?? 0) + 1
      }
    }
    expect(wrong).toEqual([])
    expect(refused).toEqual(
      dialect === "2020-12"
        ? {
            "refers to another server": 20,
            "has a pattern that RE2 does not know": 2,
            "is of another dialect": 2,
            "has an empty enum": 1,
          }
        : { "refers to another server": 11 },
    )
    expect(asked).toBeGreaterThan(dialect === "2020-12" ? 1200 : 850)
  })

  it("are all answered correctly by the interpreter, with the schemas that they refer to", () => {
    const remotes = new Map(
      (linesOf("remotes") as readonly { address: string; schema: JsonSchema }[]).map(({ address, schema }) => [
        address,
        schema,
      ]),
    )
    const ajv = createAjv(dialect)
    const findKnown = (address: string) =>
      remotes.get(address) ?? (ajv.getSchema(address)?.schema as JsonSchema | undefined)
    const wrong: string[] = []
    for (const { file, description, schema, tests } of groups) {
      if (file === "vocabulary" || /Unicode property escape/.test(description)) continue
      const linked = linkDefinitions(rowSchema(schema, dialect), {})
      const { isValid } = compileComplete(linked, { dialect, findKnown })
      for (const { description: test, data, valid } of tests) {
        if (isValid(data) !== valid) wrong.push(`${file}: ${description}: ${test}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

import type { TSchema } from "@sinclair/typebox"
import { describe, expect, it } from "vitest"
import { describeRange, isJsonObject } from "@assay/json"
import { parseYaml, compileCheck } from "@assay/validation"
import { EvaluationConfigBody, EvaluationParams } from "@assay/schemas"
import { readEvaluationCells } from "./read-evaluation-cells.ts"
import { ShortEvaluation } from "./short/short-evaluation.ts"

interface RangedNumber {
  readonly path: readonly string[]
  readonly schema: TSchema
}

/** Lists the numbers with a range in a schema of objects. */
function numbersIn(schema: TSchema, path: readonly string[] = []): readonly RangedNumber[] {
  const members: readonly TSchema[] = (schema["anyOf"] ?? [schema]) as readonly TSchema[]
  const [only, ...others] = members.filter(({ type }) => type !== "null")
  if (only === undefined || others.length > 0) return []
  const isNumber = only["type"] === "integer" || only["type"] === "number"
  if (isNumber) return (only["minimum"] ?? only["exclusiveMinimum"]) === undefined ? [] : [{ path, schema: only }]
  const properties: Readonly<Record<string, TSchema>> = only["properties"] ?? {}
  return Object.entries(properties).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
}

const nested = (path: readonly string[], value: number) =>
  path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value)
const tooSmall = ({ schema }: RangedNumber) => Number(schema["minimum"] ?? schema["exclusiveMinimum"]) - 1
const cases = (schema: TSchema) => numbersIn(schema).map((one) => [one.path.join("."), one] as const)

describe("a number that is out of its range", () => {
  it.each(cases(EvaluationParams))("is named with its key, value and range in the long form: %s", (key, one) => {
    const document = {
      target: { type: "rows", rows: [{}] },
      config: { type: "custom", params: nested(one.path, tooSmall(one)) },
    }
    expect(() => readEvaluationCells(parseYaml(JSON.stringify(document), "eval.yaml"))).toThrow(
      `'config.params.${key}': expected ${describeRange(one.schema)}, not ${tooSmall(one)}`,
    )
  })

  it.each(cases(EvaluationParams))("is named with its key and range in a launch: %s", (_, one) => {
    const checked = compileCheck(EvaluationConfigBody)({ type: "custom", params: nested(one.path, tooSmall(one)) })
    const loc = ["params", ...one.path]
    const msg = `Must be ${describeRange(one.schema)}`
    expect(checked).toMatchObject({ valid: false, issues: [{ loc, msg, input: tooSmall(one) }] })
  })

  it.each(cases(ShortEvaluation))("is named with its key, value and range in the short form: %s", (key, one) => {
    const given = nested(one.path, tooSmall(one))
    const base = { model: "http://h/v1#m", data: "rows.csv", checks: ["latency"] }
    const text = JSON.stringify(isJsonObject(given) ? { ...base, ...given } : base)
    expect(() => readEvaluationCells(parseYaml(text, "eval.yaml"))).toThrow(
      `'${key}': expected ${describeRange(one.schema)}, not ${tooSmall(one)}.`,
    )
  })

  it("is told from a value that is not a number", () => {
    const text = "target: {type: rows, rows: [{}]}\nconfig: {type: custom, params: {rate: fast}}\n"
    expect(() => readEvaluationCells(parseYaml(text, "eval.yaml"))).toThrow(
      "eval.yaml:2:33: 'config.params.rate': expected a number from 0.001 to 1000000 or null, not \"fast\"",
    )
  })
})

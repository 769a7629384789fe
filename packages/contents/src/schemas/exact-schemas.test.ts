import { parseJsonExactly } from "@assay/json"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { checkDatasetMetadata } from "../checking/check-dataset-metadata.ts"
import { checkRowValues } from "../checking/check-row-values.ts"
import { testSchemas } from "../testing/test-schemas.ts"

const schemas = testSchemas()
const metadataOf = (text: string) => parseJsonExactly(text) as { readonly schema?: Record<string, unknown> }

/** Checks a value against metadata, both as JSON. Returns the messages of its faults. */
async function check(metadata: string, value: string, path = "a.jsonl") {
  const parsed = metadataOf(metadata)
  await checkDatasetMetadata(parsed, { schemas })
  const [faults] = await checkRowValues([value], { metadata: parsed, schemas, path })
  return (faults ?? []).map(({ message }) => message)
}

const BIG = "1234567890123456789"

describe("a number of a row schema", () => {
  it.each([
    ["const", BIG, BIG, true],
    ["const", BIG, "1234567890123456788", false],
    ["const", BIG, "1234567890123456800", false],
    ["enum", `[${BIG}, 5]`, BIG, true],
    ["enum", `[${BIG}, 5]`, "5", true],
    ["enum", `[{"a": ${BIG}}]`, `{"a": ${BIG}}`, true],
    ["enum", `[${BIG}]`, "1234567890123456790", false],
    ["minimum", BIG, BIG, true],
    ["minimum", BIG, "1234567890123456788", false],
    ["minimum", "1234567890123456700", BIG, true],
    ["maximum", "1234567890123456788", BIG, false],
    ["maximum", "1234567890123456700", BIG, false],
    ["maximum", BIG, "5", true],
    ["exclusiveMinimum", BIG, BIG, false],
    ["exclusiveMaximum", "1234567890123456790", BIG, true],
    ["multipleOf", "1234567890123456789", "2469135780246913578", true],
    ["multipleOf", "1234567890123456789", "2469135780246913579", false],
    ["const", "1.50", "1.5", true],
    ["const", "0.1", "0.10", true],
    ["minimum", "1e5", "100000", true],
  ])(
    "keeps all of its digits: %s %s and the row %s",
    verifies("contents.schemas.numbers"),
    async (keyword, limit, row, isValid) => {
      const schema = `{"${keyword}": ${limit}}`
      for (const metadata of [
        `{"schema": ${schema}}`,
        `{"schema": "x", "schema_defs": {"x": ${schema}}}`,
        `{"schemas_by_path": {"*.jsonl": {"$ref": "#/$defs/x", "$defs": {"x": ${schema}}}}}`,
        `{"schema": {"$ref": "#/schema_defs/x"}, "schema_defs": {"x": ${schema}}}`,
      ]) {
        const faults = await check(metadata, row)
        expect(faults.length === 0, `${metadata} ${faults.join()}`).toBe(isValid)
      }
    },
  )

  it("is shown with all of its digits in a message", async () => {
    expect(await check(`{"schema": {"const": ${BIG}}}`, "5")).toEqual([`must be ${BIG}; it is 5`])
    expect(await check(`{"schema": {"maximum": ${BIG}}}`, "1234567890123456790")).toEqual([
      `must be <= ${BIG}; it is 1234567890123456790`,
    ])
  })

  it("is the nearest number if it counts something, and refused where a schema must be", async () => {
    expect(await check(`{"schema": {"maxLength": ${BIG}, "const": "abc"}}`, '"abc"')).toEqual([])
    await expect(check(`{"schema": {"properties": {"a": ${BIG}}}}`, "{}")).rejects.toThrow(/is not JSON Schema/)
  })
})

import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createSchemaPool } from "../checking/schema-pool.ts"
import { inferSchema } from "../infer/infer-schema.ts"
import { readRowsPage } from "../pages/read-rows-page.ts"
import { profileRows } from "../profile/profile-rows.ts"
import { makeRowFolder, rowsOf } from "../testing/row-folder.ts"
import { validateRows } from "../validate/validate-rows.ts"

const NUMBERS = '{"id":12345678901234567890,"one":1.0,"price":[1.50,0.1000000000000000000001],"e":1e5}'

function schemasOf() {
  const pool = createSchemaPool({ threads: 1 })
  onTestFinished(() => pool.close())
  return pool.as("test")
}

describe("numbers in rows", () => {
  it.each([
    ["a.json", `[${NUMBERS}]`],
    ["a.jsonl", `${NUMBERS}\n`],
  ])("keep their text in %s", verifies("contents.rows.numbers"), async (path, content) => {
    const { storage } = await makeRowFolder({ [path]: content })
    expect((await rowsOf(storage, path)).map(({ row }) => JSON.stringify(row))).toEqual([NUMBERS])
    const page = await readRowsPage(storage, parseFilePath(path))
    expect(JSON.stringify(page.data[0]?.row)).toBe(NUMBERS)
  })

  it("keep their text in numeric CSV columns", verifies("contents.rows.numbers"), async () => {
    const properties = { id: { type: "integer" }, price: { type: "number" } }
    const { storage } = await makeRowFolder({ "a.csv": "id,price\n9007199254740993,1.50\n1e999,2\n" })
    const rows = await rowsOf(storage, "a.csv", { metadata: { schema: { properties } } })
    expect(rows.map(({ row }) => JSON.stringify(row))).toEqual([
      '{"id":9007199254740993,"price":1.50}',
      // The text stays, so that the schema can report that it is not an integer.
      '{"id":"1e999","price":2}',
    ])
  })

  it(
    "make the row unreadable and are named with their location if they can't be kept",
    verifies("contents.rows.numbers"),
    async () => {
      const { storage } = await makeRowFolder({ "a.jsonl": '{"a":1}\n{"a":1e400}\n{"a":-1e-400}\n' })
      const faults = (await rowsOf(storage, "a.jsonl")).map(({ line, fault }) => [line, fault])
      const rule = "which can't be kept; write it as text, or with a smaller exponent"
      expect(faults).toEqual([
        [1, null],
        [2, `has the number 1e400 at character 6, ${rule}`],
        [3, `has the number -1e-400 at character 6, ${rule}`],
      ])
    },
  )

  it("are checked against schemas with all their digits", verifies("contents.rows.numbers"), async () => {
    const lines = [
      '{"a":9007199254740993}',
      '{"a":9007199254740992}',
      '{"a":9007199254740993.5}',
      '{"b":12345678901234567891}',
      '{"b":12345678901234567890}',
      '{"c":[9007199254740993,9007199254740992]}',
      '{"c":[9007199254740993,9007199254740993.0]}',
      '{"d":9007199254740993}',
      '{"a":1.0}',
    ]
    const schema = {
      properties: {
        a: { type: "integer", maximum: 9007199254740992 },
        b: { multipleOf: 10 },
        c: { uniqueItems: true },
        d: { enum: [9007199254740992] },
      },
    }
    const { storage } = await makeRowFolder({ "a.jsonl": `${lines.join("\n")}\n` })
    const report = await validateRows({ storage, metadata: { schema }, schemas: schemasOf() })
    expect(report.files[0]?.issues.map(({ line, pointer, message }) => `${line} ${pointer} ${message}`)).toEqual([
      "1 /a must be <= 9007199254740992; it is 9007199254740993",
      "3 /a must be integer; it is 9007199254740993.5",
      "3 /a must be <= 9007199254740992; it is 9007199254740993.5",
      "4 /b must be multiple of 10; it is 12345678901234567891",
      "7 /c must NOT have equal items; it is an array",
      "8 /d must be one of [9007199254740992]; it is 9007199254740993",
    ])
  })

  it("are plain numbers for profiles and inferred schemas", verifies("contents.rows.numbers"), async () => {
    const content = '{"id":9007199254740993,"x":1.0}\n{"id":9007199254740992,"x":1}\n{"id":9007199254740993,"x":2.50}\n'
    const { storage } = await makeRowFolder({ "a.jsonl": content })
    const { columns } = await profileRows({ storage })
    expect(columns.map(({ pointer, types, distinct }) => ({ pointer, types, distinct }))).toEqual([
      { pointer: "/id", types: { integer: 3 }, distinct: 2 },
      { pointer: "/x", types: { integer: 2, number: 1 }, distinct: 2 },
    ])
    expect(JSON.stringify(columns[0]?.top)).toBe(
      '[{"value":9007199254740993,"count":2},{"value":9007199254740992,"count":1}]',
    )
    const inferred = await inferSchema(storage, "a.jsonl")
    expect(JSON.stringify(inferred)).toContain('"id":{"type":"integer"},"x":{"type":"number"}')
  })
})

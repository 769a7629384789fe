import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { inferSchema } from "../infer/infer-schema.ts"
import { readRowsPage } from "../pages/read-rows-page.ts"
import { makeRowFolder } from "../testing/row-folder.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { validateRows } from "../validate/validate-rows.ts"

const TWICE = '{"id":1,"meta":{"lang":"en","lang":"de"}}'
const MESSAGE = 'has the key "lang" twice in an object, again at character 29; write each key once'
const schemas = testSchemas()

it.each([
  ["a.jsonl", `{"id":0}\n${TWICE}\n`, 2],
  ["a.json", `[{"id":0},\n${TWICE}]`, 2],
])(
  "A row of %s that has a key twice is an issue of this row that names the key",
  verifies("contents.rows.keys"),
  async (path, content, line) => {
    const { storage } = await makeRowFolder({ [path]: content })
    for (const metadata of [undefined, { schema: { type: "object" } }]) {
      const report = await validateRows({ schemas, storage, metadata })
      expect(report).toMatchObject({ rows: 2, valid: 1, invalid: 1 })
      expect(report.files[0]?.issues).toMatchObject([{ row_index: 1, line, pointer: "", message: MESSAGE }])
    }
    const { data } = await readRowsPage(storage, parseFilePath(path))
    expect(data).toMatchObject([
      { row: { id: 0 }, issues: [] },
      { row: null, issues: [{ message: MESSAGE }] },
    ])
    const proposed = await inferSchema(storage)
    expect(proposed["$comment"]).toContain(MESSAGE)
    expect(proposed["properties"]).toEqual({ id: { type: "integer" } })
  },
)

import { tmpdir } from "node:os"
import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { testSchemas } from "../testing/test-schemas.ts"
import { checkFileRows } from "./check-file-rows.ts"

describe("the rows of one file", () => {
  it("are checked against the schemas of a fileset", async () => {
    const check = (text: string) =>
      checkFileRows(
        (async function* () {
          yield Buffer.from(text)
        })(),
        {
          path: parseFilePath("a.jsonl"),
          metadata: { schema: { type: "object", required: ["id"] }, enforce: "reject" },
          schemas: testSchemas(),
          temporaryFolder: tmpdir(),
          signal: new AbortController().signal,
        },
      )
    await check('{"id":1}\n')
    await expect(check('{"id":1}\n{}\n')).rejects.toMatchObject({ code: "invalid_request", issues: [{}] })
  })
})

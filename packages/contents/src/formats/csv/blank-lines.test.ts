import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { readRowsPage } from "../../pages/read-rows-page.ts"
import { makeRowFolder, rowsOf } from "../../testing/row-folder.ts"

async function locationsOf(path: string, content: string) {
  const { storage } = await makeRowFolder({ [path]: content })
  return (await rowsOf(storage, path)).map(({ line, offset, row, fault }) => [line, offset, fault ?? row])
}

it.each(["\n", "\r\n"])(
  "a blank line in a CSV file with one column is a record with an empty field",
  verifies("contents.rows.blank-lines"),
  async (end) => {
    const step = end.length
    expect(await locationsOf("a.csv", ["", "a", "x", "", '""', "y", "", ""].join(end))).toEqual([
      [3, 1 + 2 * step, { a: "x" }],
      [4, 2 + 3 * step, { a: "" }],
      [5, 2 + 4 * step, { a: "" }],
      [6, 4 + 5 * step, { a: "y" }],
      [7, 5 + 6 * step, { a: "" }],
    ])
  },
)

it("blank lines in a CSV file with several columns are skipped", verifies("contents.rows.blank-lines"), async () => {
  const rows = [
    [4, 6, { a: "1", b: "x" }],
    [6, 11, { a: "2", b: "y" }],
  ]
  expect(await locationsOf("a.csv", "\na,b\n\n1,x\n\n2,y\n\n\n")).toEqual(rows)
  expect(await locationsOf("a.tsv", "\na\tb\n\n1\tx\n\n2\ty\n\n\n")).toEqual(rows)
})

it("a comma in the quoted name of the only column belongs to the name", async () => {
  expect(await locationsOf("a.csv", '"a,b"\n\n')).toEqual([[2, 6, { "a,b": "" }]])
})

it("the last line end of a CSV file does not start another row", async () => {
  expect(await locationsOf("a.csv", "a\nx")).toEqual([[2, 2, { a: "x" }]])
  expect(await locationsOf("a.csv", "a\nx\n")).toEqual([[2, 2, { a: "x" }]])
  expect(await locationsOf("a.csv", "\n\n")).toEqual([])
})

it("later pages of a CSV file with one column have the same rows", async () => {
  const { storage } = await makeRowFolder({ "a.csv": `a\n${"x\n\n".repeat(5000)}` })
  const page = await readRowsPage(storage, parseFilePath("a.csv"), { offset: 9997, limit: 5 })
  expect(page).toMatchObject({ total: 10_000, data: [{ row: { a: "" } }, { row: { a: "x" } }, { row: { a: "" } }] })
})

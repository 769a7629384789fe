import { expect, it } from "vitest"
import { makeRowFolder, rowsOf } from "../../testing/row-folder.ts"

const header = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(",")

it("a CSV header may have 10,000 columns, and a longer one is read only once", async () => {
  const { storage } = await makeRowFolder({
    "most.csv": `${header(10_000)}\n${",".repeat(9999)}\n`,
    "twice.csv": `${header(9_999)},c7\n`,
    // Comparing each name with each other name would take hours.
    "million.csv": `${header(2_000_000)}\n1\n`,
  })
  expect((await rowsOf(storage, "most.csv")).map(({ fault }) => fault)).toEqual([null])
  expect(await rowsOf(storage, "twice.csv")).toMatchObject([{ fault: "is a header that names the column 'c7' twice" }])
  expect(await rowsOf(storage, "million.csv")).toMatchObject([
    { fault: "is a header that names 2000000 columns; 10000 are allowed" },
  ])
})

import { AssayError } from "@assay/schemas/errors"
import { expect, it } from "vitest"
import { recordsOfPages, type PageOfRecords } from "./records-of-pages.ts"

const RECORDS = Array.from({ length: 123 }, (_, index) => index)

it("recordsOfPages reads smaller pages if some records are too large together, and yields every record once", async () => {
  const asked: string[] = []
  const readPage = async ({ page, page_size }: PageOfRecords) => {
    asked.push(`${page} of ${page_size}`)
    const data = RECORDS.slice((page - 1) * page_size, page * page_size)
    if (page_size > 1 && data.includes(95)) throw new AssayError("too_large", "Ask for fewer with page_size.")
    const total_pages = Math.ceil(RECORDS.length / page_size)
    const pagination = { page, page_size, current_page_size: data.length, total_pages, total_results: RECORDS.length }
    return { data, pagination }
  }
  expect(await Array.fromAsync(recordsOfPages(100, readPage))).toEqual(RECORDS)
  expect(asked.slice(0, 4)).toEqual(["1 of 100", "1 of 10", "2 of 10", "3 of 10"])
  expect(asked.slice(-2)).toEqual(["100 of 1", "2 of 100"])
})

it("recordsOfPages fails if a single record is too large", async () => {
  const readPage = () => Promise.reject(new AssayError("too_large", "No."))
  await expect(Array.fromAsync(recordsOfPages(100, readPage))).rejects.toMatchObject({ code: "too_large" })
})

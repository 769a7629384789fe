import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { paginate } from "./page.ts"

describe("paginate", () => {
  it.each([
    [1, 10, 0, 0, 0],
    [1, 10, 1, 1, 1],
    [1, 10, 10, 10, 1],
    [2, 10, 1, 11, 2],
    [9, 10, 0, 11, 2],
  ])(
    "returns for page %i with page size %i and %i of %i records a total of %i pages",
    verifies("brief.page.pagination", "filesets.list.empty"),
    (page, page_size, current_page_size, total_results, total_pages) => {
      expect(paginate(page, page_size, current_page_size, total_results)).toEqual({
        page,
        page_size,
        current_page_size,
        total_pages,
        total_results,
      })
    },
  )
})

import { verifies } from "@assay/testkit/verifies"
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
    "tells for page %i, of %i records at the most, that it holds %i of %i records on %i pages",
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

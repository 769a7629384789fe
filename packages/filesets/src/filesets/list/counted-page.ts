import type { Database } from "@assay/database"
import { createPageMarks, type MarkSizes } from "./page-marks.ts"
import type { PagePlan } from "./page-plan.ts"
import { MANY, type CountedRows, type ReadPage } from "./read-page.ts"

/** Attempts to read a page after a mark of the same moment. */
const ATTEMPTS = 3

interface CountedOptions {
  /** Up to this offset a page is read without marks. */
  readonly few?: number
  readonly sizes?: MarkSizes
}

/** Returns a function that reads pages of listings whose total the database keeps, of one workspace or of all. */
export function createReadCounted(
  database: Database,
  readPage: ReadPage,
  { few = MANY, sizes }: CountedOptions = {},
): (plan: PagePlan) => Promise<CountedRows> {
  const marksOf = createPageMarks(database, sizes)

  async function readAt(plan: PagePlan, start: "few" | "many" | "mark", from: ReadStart): Promise<CountedRows> {
    const { offset, size, values, shape } = plan
    const skipped = offset - (from.position ?? 0)
    const read = await readPage(
      { ...shape, candidates: undefined, source: "order", start, total: "counts" },
      { ...values, value: from.value ?? 0, id: from.id ?? "", offset: skipped, limit: size, reach: skipped + size },
    )
    return { rows: read.rows, changes: read.changes, total: read.total ?? 0 }
  }

  return async (plan) => {
    const { offset } = plan
    if (offset <= few) return readAt(plan, "few", {})
    const marks = marksOf(plan)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const mark = await marks.before(offset)
      if (mark === undefined) break
      const page = await readAt(plan, "mark", mark)
      if (page.changes === mark.changes) return page
      await marks.refresh()
    }
    return readAt(plan, "many", {})
  }
}

interface ReadStart {
  readonly position?: number
  readonly value?: string | number
  readonly id?: string
}

import type { Page } from "playwright-core"
import { atMost, type Measurement } from "../bench.ts"
import { median } from "../measure/median.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"
import { firstPaint, longestTask } from "./page-measures.ts"

const PAINTS = 10
const TIMES = 5
const SLOWER = 4
/** Milliseconds in which a page shows what it reads after its first rows. */
const SETTLED_MS = 2000

/** Measures how soon a page is painted, and has its first row. @param table the address of a page with a table */
export async function measureFirstView(subject: ConsoleSubject, table: string): Promise<readonly Measurement[]> {
  const paints: number[] = []
  for (let time = 0; time < PAINTS; time += 1) {
    const page = await openPage(subject.browser, `${subject.url}/filesets`)
    paints.push(await firstPaint(page))
    await page.close()
  }
  const usual = await firstRows(subject, table, 1)
  const slow = await firstRows(subject, table, SLOWER)
  return [
    atMost(
      {
        work: "first paint",
        does: "Milliseconds to the first paint of a page in a new browser profile, median of 10.",
      },
      median(paints),
      300,
      "ms",
    ),
    atMost(
      { work: "first row", does: "Milliseconds to the first row of a table in a new browser profile, median of 5." },
      usual.row,
      1000,
      "ms",
    ),
    atMost(
      { work: "first row, slow processor", does: "The same with a processor that is four times slower." },
      slow.row,
      2000,
      "ms",
    ),
    atMost(
      {
        work: "longest task, slow processor",
        does: "Milliseconds for which that page answers nothing, median of 5.",
      },
      slow.task,
      200,
      "ms",
    ),
  ]
}

async function firstRows({ browser, url }: ConsoleSubject, table: string, slower: number) {
  const rows: number[] = []
  const tasks: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const page = await openPage(browser, `${url}${table}`, { slower })
    rows.push(await firstRow(page))
    await page.waitForTimeout(SETTLED_MS)
    tasks.push(await longestTask(page))
    await page.close()
  }
  return { row: median(rows), task: median(tasks) }
}

/** Milliseconds from the navigation to the first row of the table. */
export async function firstRow(page: Page): Promise<number> {
  await page.getByRole("gridcell").first().waitFor()
  return page.evaluate<number>("performance.now()")
}

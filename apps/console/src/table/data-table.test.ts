import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectFits, hasBrowser, useConsole } from "../testing/console-test.ts"

const COUNT = 130

describe.runIf(hasBrowser)("a table of the console", () => {
  const console = useConsole()
  beforeAll(async () => {
    await console.client.workspaces.create({ name: "tables" })
    const names = Array.from({ length: COUNT }, (_, number) => `set-${String(number).padStart(3, "0")}`)
    await Promise.all(names.map((name) => console.client.filesets.create("tables", { name })))
  })
  afterAll(() => console.client.workspaces.remove("tables", { cascade: true }))

  const address = '/filesets?q=workspace:"tables"&sort=name'

  it(
    "is moved through by keys, and its row is in the address",
    verifies("console.keys", "console.address"),
    async () => {
      await using opened = await console.open(address)
      const { page } = opened
      await page.getByText("set-000").waitFor()
      await page.getByRole("grid").focus()
      await page.keyboard.press("End")
      await page.getByText(`set-${COUNT - 1}`).waitFor()
      await expect.poll(() => new URL(page.url()).searchParams.get("at")).toBe(String(COUNT - 1))
      await page.keyboard.press("k")
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("j")
      const chosen = page.getByRole("row", { selected: true })
      await expect.poll(() => chosen.innerText()).toContain(`set-${COUNT - 2}`)
      await page.reload()
      await expect.poll(() => chosen.innerText()).toContain(`set-${COUNT - 2}`)
      await page.getByRole("grid").focus()
      await page.keyboard.press("/")
      await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("search")
    },
  )

  it(
    "shows a row as two lines on a phone, without the columns that are hidden",
    verifies("console.narrow"),
    async () => {
      await using opened = await console.open(`${address}&hide=description,created`, { width: 400 })
      const { page } = opened
      const row = page.getByRole("row", { name: /^tables\/set-000/u })
      await row.waitFor()
      expect(await row.getByRole("gridcell").count()).toBe(1)
      expect((await row.innerText()).split("\n")).toEqual(["tables/set-000", "generic", "0 B"])
      await page.getByRole("button", { name: "Name" }).click()
      await page.getByText(`set-${COUNT - 1}`).waitFor()
      await expectFits(page)
    },
  )

  it("is sorted by its headings, and hides columns, in the address", verifies("console.address"), async () => {
    await using opened = await console.open(address)
    const { page } = opened
    await page.getByRole("button", { name: /^Name/ }).click()
    await page.getByText(`set-${COUNT - 1}`).waitFor()
    await page.getByText("Columns", { exact: true }).click()
    await page.getByRole("checkbox", { name: "Purpose" }).uncheck()
    await page.reload()
    await page.getByText(`set-${COUNT - 1}`).waitFor()
    expect(await page.getByRole("columnheader").allInnerTexts()).not.toContain("Purpose")
    await expect
      .poll(() => page.getByRole("columnheader", { name: /^Name/ }).getAttribute("aria-sort"))
      .toBe("descending")
  })

  it("shows a filter that can't be read as an error with its code", verifies("console.errors"), async () => {
    await using opened = await console.open("/filesets")
    const { page } = opened
    await page.getByRole("searchbox").fill("purpose:")
    await page.getByRole("alert").waitFor()
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("bad_filter")
  })
})

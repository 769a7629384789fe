import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectFits, expectSound, hasBrowser, useConsole } from "../testing/console-test.ts"

describe.runIf(hasBrowser)("the frame of the console", () => {
  const console = useConsole()

  it(
    "shows the page of an address after a reload, in light and dark, without a finding of axe",
    verifies("console.accessible"),
    async () => {
      await using opened = await console.open("/filesets")
      const { page } = opened
      await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
      await page.reload()
      await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
      expect(await page.title()).toBe("Filesets · Assay")
      await expectSound(opened)
    },
  )

  it("opens its menu at 400 pixels, and closes it on the chosen page", verifies("console.narrow"), async () => {
    await using opened = await console.open("/", { width: 400 })
    const { page } = opened
    await page.getByRole("button", { name: "Menu" }).click()
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Filesets" }).click()
    await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
    await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "hidden" })
    await expectFits(page)
    await expectSound(opened)
  })

  it("says that there is no such page, and leads back", async () => {
    await using opened = await console.open("/nothing/here")
    const { page } = opened
    await page.getByText("There is no page at /nothing/here.").waitFor()
    await page.getByRole("link", { name: "the start" }).click()
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
  })

  it("keeps the chosen theme after a reload", verifies("console.theme"), async () => {
    await using opened = await console.open("/")
    const { page } = opened
    await page.getByLabel("Theme").selectOption("dark")
    await page.reload()
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark")
  })

  it("refuses scripts that are not files of the server", verifies("console.csp"), async () => {
    await using opened = await console.open("/")
    const { page, faults } = opened
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = true\">')")
    await expect.poll(() => faults.join()).toMatch(/Content Security Policy/)
    expect(await page.evaluate("window.ran")).toBeUndefined()
  })

  it("says that the server is away, and continues when it is back", verifies("console.connection"), async () => {
    await using opened = await console.open("/filesets")
    const { page } = opened
    await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Home" }).click()
    await page.getByText("No connection.").waitFor()
    await page.context().setOffline(false)
    await page.getByText("No connection.").waitFor({ state: "detached" })
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
  })
})

import { readdir, readFile } from "node:fs/promises"
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
    // No tab moves when another one is opened.
    await page.goto("/trends")
    const tabs = page.getByRole("navigation", { name: "Parts of the page" }).getByRole("link")
    await tabs.first().waitFor()
    const places = () => tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().x))
    const before = await places()
    await tabs.last().click()
    await expect.poll(() => tabs.last().getAttribute("aria-current")).toBe("page")
    expect(await places()).toEqual(before)
  })

  it("says that there is no such page, also by its status, and leads back", verifies("console.not-found"), async () => {
    const folder = new URL("../pages/", import.meta.url)
    const groups = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
    const texts = await Promise.all(groups.map(({ name }) => readFile(new URL(`${name}/routes.ts`, folder), "utf8")))
    const paths = texts.flatMap((text) =>
      [...text.matchAll(/pageRoute\(root, "([^"]+)"/gu)].map(([, path = ""]) => path),
    )
    expect(paths.length).toBeGreaterThan(10)
    const statusOf = async (path: string) => {
      const { status } = await fetch(new URL(path, console.client.url), { headers: { accept: "text/html" } })
      return status
    }
    const known = paths.map((path) => path.replaceAll(/\$\w+/gu, "a"))
    expect(await Promise.all(known.map(statusOf))).toEqual(known.map(() => 200))
    expect(await Promise.all(["/nothing", "/jobs/a/b", "/filesets/a"].map(statusOf))).toEqual([404, 404, 404])
    await using opened = await console.open("/nothing/here")
    const { page } = opened
    await page.getByText("There is no page at /nothing/here.").waitFor()
    await page.getByRole("link", { name: "the start" }).click()
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keys" }).getByText("next and previous failing row").waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.getByRole("option", { name: /^Audit/u }).waitFor()
    await expectSound(opened)
    await page
      .getByRole("combobox", { name: "Go to a page, fileset, model, job or guardrail" })
      .fill("guardrail self-check")
    await page.getByRole("option", { name: /^self-check guardrail · system/u }).waitFor()
    await page.getByRole("combobox", { name: "Go to a page, fileset, model, job or guardrail" }).fill("page audit")
    await expect.poll(() => page.getByRole("listbox").getByRole("option").count()).toBe(1)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor()
    // Nothing that can be seen has a heading above the title of the page.
    expect(await page.locator(":is(h1, h2, h3, h4):visible").first().textContent()).toBe("Audit")
  })

  it(
    "asks nothing while nothing happens, shows what others change, and loads at most 120,000 bytes of scripts and styles for its first page",
    verifies("console.quiet", "console.bytes"),
    async () => {
      await using opened = await console.open("/")
      const { page } = opened
      await page.getByRole("heading", { name: "Home", level: 1 }).waitFor()
      await page.locator(".loading").first().waitFor({ state: "detached" })
      await page.waitForLoadState("load")
      const bytes = await page.evaluate<number>(
        `performance.getEntriesByType("resource").filter(({ name }) => /\\.(js|css)$/.test(name)).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
      )
      expect(bytes).toBeGreaterThan(50_000)
      expect(bytes).toBeLessThanOrEqual(120_000)
      const asked: string[] = []
      page.on("request", (request) => asked.push(new URL(request.url()).pathname))
      // Longer than the time after which answers that may have changed are read again.
      await page.waitForTimeout(4500)
      expect(asked).toEqual([])
      await console.client.filesets.create("default", { name: "made-elsewhere" })
      await page.getByRole("link", { name: "made-elsewhere" }).waitFor()
    },
  )

  it("keeps the focus on the page when the element that had it goes away", verifies("console.focus"), async () => {
    await using opened = await console.open("/filesets")
    const { page } = opened
    await page.getByRole("heading", { name: "Filesets", level: 1 }).waitFor()
    await page.evaluate(
      `document.querySelector("header.page").innerHTML = '<p><b id="part" tabindex="0"><i><button>1</button></i></b><button>2</button></p>'`,
    )
    const run = async (work: string) =>
      page.evaluate(`{ const [a, b] = document.querySelectorAll("header.page button"); ${work} }`)
    const focused = () => page.evaluate<string>("document.activeElement.id || document.activeElement.localName")
    await run("a.focus(); a.parentElement.remove()")
    await expect.poll(focused).toBe("part")
    await run("a.focus(); a.disabled = true")
    await expect.poll(focused).toBe("body")
    await run("a.disabled = false")
    await expect.poll(focused).toBe("button")
    await run("a.disabled = true; setTimeout(() => a.parentElement.remove(), 50)")
    await expect.poll(focused).toBe("main")
  })

  it("has the documentation without scripts, and finds it by Ctrl K", verifies("console.help"), async () => {
    await using opened = await console.open("/")
    const { page } = opened
    await page.getByRole("button", { name: /^Go to/u }).waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("dialog").getByRole("combobox").fill("help rate_limited")
    await page
      .getByRole("option", { name: /rate_limited/u })
      .first()
      .waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "rate_limited", exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/help\/reference\//u)
    await page.getByRole("link", { name: "Help", exact: true }).click()
    await page.getByRole("link", { name: "First evaluation" }).first().click()
    await page.getByRole("heading", { level: 1, name: "First evaluation" }).waitFor()
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('a[href^=\"/help\"]')].map(({ href }) => href.split('#')[0])",
    )
    const statuses = await Promise.all([...new Set(links)].map(async (link) => (await fetch(link)).status))
    expect(statuses.length).toBeGreaterThan(40)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await page.setViewportSize({ width: 400, height: 800 })
    await expectFits(page)
    await expectSound(opened)
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

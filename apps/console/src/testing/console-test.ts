import { BROWSER_FLAGS, findAccessibilityFaults, openPage, type OpenPage, type PageOptions } from "@assay/testkit"
import { createClient, type Client, type Fetch } from "@assay/client"
import { chromium, type Locator, type Page } from "playwright-core"
import { expect, inject } from "vitest"

/** Whether there is a browser: `describe.runIf(hasBrowser)(…)`. */
export const hasBrowser = inject("browserPath") !== ""

/** The browser of all files, which this worker runs. It ends with the worker. A browser of another process would take more processor time. */
const browser = hasBrowser
  ? await chromium.launch({ executablePath: inject("browserPath"), args: BROWSER_FLAGS })
  : undefined

/** Milliseconds that a step may take on a busy machine. */
const STEP_MS = 60_000

/** The fixtures of tests of pages. */
export interface ConsoleTest {
  /** The client of the server, for what a page needs to be there. */
  readonly client: Client
  /** Opens an address as a new user. `url` names another server. */
  open(path: string, options?: Partial<PageOptions>): Promise<OpenPage>
}

/** Connects the tests of a file with the browser and the server that all files share. */
export function useConsole(): ConsoleTest {
  const client = createClient({ url: inject("serverUrl"), fetch: fetch as Fetch })
  return {
    client,
    async open(path, options = {}) {
      if (browser === undefined) throw new Error("Open pages inside of tests")
      const opened = await openPage(browser, { baseURL: inject("serverUrl"), ...options })
      opened.page.setDefaultTimeout(STEP_MS)
      await opened.page.goto(path)
      return opened
    },
  }
}

/** Returns the titles with more than three buttons beside them and their menu, and the conditions with more than one main button. */
const CROWDED = `[...document.querySelectorAll("header.page > .actions, .condition")].filter((box) =>
  box.matches(".condition")
    ? box.querySelectorAll(".primary").length > 1
    : [...box.children].filter((one) => one.matches("button, a")).length > 3,
).map((box) => box.innerText)`

/** Expects no serious finding of axe-core in light and dark, no reported fault, and no crowded title or condition. */
export async function expectSound({ page, faults }: OpenPage): Promise<void> {
  // A page that loads shows nothing to check.
  await page.locator(".loading").first().waitFor({ state: "detached" })
  expect(await findAccessibilityFaults(page)).toEqual([])
  // Only the colours differ.
  await page.emulateMedia({ colorScheme: "dark" })
  expect(await findAccessibilityFaults(page, ["color-contrast"]), "in dark colours").toEqual([])
  await page.emulateMedia({ colorScheme: "light" })
  expect(faults).toEqual([])
  expect(await page.evaluate(CROWDED)).toEqual([])
}

/** Expects that an element is in sight without scrolling the page: below its bar, and above the lower edge of the window. */
export async function expectInWindow(page: Page, element: Locator): Promise<void> {
  const height = page.viewportSize()?.height ?? 0
  await expect
    .poll(async () => {
      const box = await element.boundingBox()
      return box === null
        ? "is not drawn"
        : box.y >= 48 && box.y + box.height <= height
          ? "in the window"
          : JSON.stringify(box)
    })
    .toBe("in the window")
}

/** Expects that the page fits its width: nothing but tables and code scrolls sideways. */
export async function expectFits(page: Page): Promise<void> {
  const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
  expect(wide).toBe(0)
}

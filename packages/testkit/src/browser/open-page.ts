import type { Browser, Page } from "playwright-core"

export interface PageOptions {
  /** Default 1280. */
  readonly width?: number
  /** Default 800. */
  readonly height?: number
  /** Default `light`. */
  readonly colorScheme?: "light" | "dark"
  /** Address of the server, so that tests open paths. */
  readonly baseURL: string
}

/** A page with a session of its own. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** The faults that the page has reported so far: exceptions, refused scripts and failed loads. */
  readonly faults: readonly string[]
}

/** Opens a page as a user who has never been there. */
export async function openPage(browser: Browser, options: PageOptions): Promise<OpenPage> {
  const { width = 1280, height = 800, colorScheme = "light", baseURL } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    baseURL,
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on("pageerror", (error) => void faults.push(error.message))
  page.on("console", (message) => {
    // A failed request is an answer that the page shows, not a fault of the page.
    const text = message.text()
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) faults.push(text)
  })
  return { page, faults, [Symbol.asyncDispose]: () => context.close() }
}

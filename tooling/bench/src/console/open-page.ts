import type { Browser, Page } from "playwright-core"

/** The console that is measured, and what measures it. */
export interface ConsoleSubject {
  readonly url: string
  readonly browser: Browser
  /** Files of the measurement. */
  readonly folder: string
  /** Processor time of the server so far, in seconds. */
  readonly cpuSeconds: () => Promise<number>
}

export interface OpenOptions {
  /** How many times slower than this machine the processor of the page is. Default 1. */
  readonly slower?: number
}

/** Keeps the tasks of 50 ms and more, and when the heading of the page appeared. */
const MARKS = `
  window.longTasks = []
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask", buffered: true })
  const observer = new MutationObserver(() => {
    if (document.querySelector("h1") === null) return
    window.shownAt = performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })`

const SIZE = { width: 1280, height: 800 }

/** Opens a page in a new browser profile, and returns it when it has its heading. */
export async function openPage(browser: Browser, address: string, { slower = 1 }: OpenOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: SIZE })
  await page.addInitScript(MARKS)
  if (slower > 1) {
    const session = await page.context().newCDPSession(page)
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower })
  }
  await page.goto(address)
  await page.getByRole("heading", { level: 1 }).waitFor()
  return page
}

import type { Page } from "playwright-core"

/** Bytes of scripts and styles that a page has loaded so far, as they were sent. `shown`: those that it requested before it had its heading. */
export async function scriptBytes(page: Page): Promise<{ readonly shown: number; readonly whole: number }> {
  return page.evaluate(`(() => {
    const scripts = performance.getEntriesByType("resource").filter(({ name }) => /\\.(js|css)$/.test(name))
    const sum = (entries) => entries.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0)
    return { shown: sum(scripts.filter(({ startTime }) => startTime < window.shownAt)), whole: sum(scripts) }
  })()`)
}

/** Milliseconds from the navigation to the first text or picture on the screen. */
export async function firstPaint(page: Page): Promise<number> {
  await page.waitForFunction(`performance.getEntriesByName("first-contentful-paint").length > 0`)
  return page.evaluate<number>(`performance.getEntriesByName("first-contentful-paint")[0].startTime`)
}

/** Scrolls a table by one screen with each frame for some seconds. Returns the frames a second. */
export async function scrollFrames(page: Page, seconds: number): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const grid = document.querySelector("[role=grid]")
    const started = performance.now()
    let frames = 0
    const next = () => {
      frames += 1
      grid.scrollTop += 400
      if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) grid.scrollTop = 0
      const spent = performance.now() - started
      if (spent < ${seconds * 1000}) requestAnimationFrame(next)
      else resolve(frames / (spent / 1000))
    }
    requestAnimationFrame(next)
  })`)
}

/** Bytes of the page's heap after a collection of garbage. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number }
  await session.detach()
  return usedSize
}

/** Milliseconds of the longest task of a page so far; 0 if none took 50 ms. `openPage` begins to measure them. */
export async function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>("Math.max(0, ...window.longTasks)")
}

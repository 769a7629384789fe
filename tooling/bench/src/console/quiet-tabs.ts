import type { Page } from "playwright-core"
import { atMost, type Measurement } from "../bench.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"

const QUIET_MS = 60_000
/** A page may ask further things in this time after its first view. */
const SETTLED_MS = 4000
/** Smaller answers are not worth a compression. */
const LARGE_BYTES = 2048

/** Counts what pages request on which nothing happens for a minute. They are open at once, each in a browser profile of its own. */
export async function measureQuietTabs(
  { browser, url }: ConsoleSubject,
  addresses: readonly string[],
): Promise<readonly Measurement[]> {
  const plain = new Set<string>()
  const pages: Page[] = []
  for (const address of addresses) {
    const page = await openPage(browser, `${url}${address}`)
    pages.push(page)
  }
  for (const page of pages) {
    page.on("response", async (response) => {
      const { "content-type": type = "", "content-encoding": encoding, "content-length": length } = response.headers()
      const isText = /json|javascript|css|html|svg/u.test(type)
      if (isText && encoding === undefined && Number(length ?? LARGE_BYTES) >= LARGE_BYTES) plain.add(response.url())
    })
    await page.reload()
    await page.getByRole("heading", { level: 1 }).waitFor()
  }
  await Promise.all(pages.map((page) => page.waitForTimeout(SETTLED_MS)))
  const asked: string[] = []
  for (const [at, page] of pages.entries())
    page.on("request", (request) => asked.push(`${addresses[at]}: ${request.url()}`))
  await Promise.all(pages.map((page) => page.waitForTimeout(QUIET_MS)))
  await Promise.all(pages.map((page) => page.close()))
  return [
    atMost(
      { work: "requests of quiet pages", does: `Requests of ${addresses.length} open pages in a minute.` },
      asked.length,
      0,
      asked[0] ?? "none",
    ),
    atMost(
      { work: "answers without compression", does: "Texts of at least 2 KiB that those pages got as they are." },
      plain.size,
      0,
      [...plain][0] ?? "none",
    ),
  ]
}

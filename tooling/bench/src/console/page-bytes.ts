import { setTimeout as wait } from "node:timers/promises"
import { atMost, forComparison, type Measurement } from "../bench.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"
import { scriptBytes } from "./page-measures.ts"

const KIB = 1024
/** A page loads what its first view does not need within this time. */
const SETTLED_MS = 1500

/** Measures the scripts and styles of the first page, and of all further ones: until they are shown, and until they have loaded everything. */
export async function measurePageBytes(
  { url, browser }: ConsoleSubject,
  routes: readonly string[],
): Promise<readonly Measurement[]> {
  const first = await openPage(browser, url)
  await wait(SETTLED_MS)
  const { whole: own } = await scriptBytes(first)
  await first.close()
  const pages: { readonly route: string; readonly shown: number; readonly whole: number }[] = []
  for (const route of routes) {
    const page = await openPage(browser, `${url}${route}`)
    await wait(SETTLED_MS)
    const { shown, whole } = await scriptBytes(page)
    pages.push({ route, shown: shown - own, whole: whole - own })
    await page.close()
  }
  const largest = (which: "shown" | "whole") => {
    const page = pages.toSorted((a, b) => b[which] - a[which])[0]
    return { kib: (page?.[which] ?? 0) / KIB, detail: `KiB; ${page?.route}` }
  }
  const shown = largest("shown")
  const whole = largest("whole")
  return [
    atMost(
      { work: "scripts of the first page", does: "Bytes of scripts and styles as sent (Brotli), in KiB." },
      own / KIB,
      117,
      "KiB",
    ),
    atMost(
      {
        work: "scripts of a further page",
        does: `The largest of ${routes.length} pages that it requests until it has its heading, beyond those of the first page.`,
      },
      shown.kib,
      60,
      shown.detail,
    ),
    forComparison(
      { work: "all scripts of a further page", does: "The same, with what a page loads after it is shown." },
      `${whole.kib.toFixed(2)} (${whole.detail})`,
    ),
  ]
}

import { join } from "node:path"
import { BROWSER_FLAGS, findChromium } from "@assay/testkit"
import { chromium } from "playwright-core"
import { startAssay } from "../assay-server.ts"
import type { Bench } from "../bench.ts"
import { measureFirstView } from "../console/first-view.ts"
import { measureJobRows, runLargeJob } from "../console/job-rows.ts"
import { measureLiveEvents } from "../console/live-events.ts"
import { measureLostServer } from "../console/lost-server.ts"
import { measureManyFiles } from "../console/many-files.ts"
import { measureMillionRows, measureSearches, MILLION_ROWS, storeMillionRows } from "../console/million-rows.ts"
import type { ConsoleSubject } from "../console/open-page.ts"
import { measurePageBytes } from "../console/page-bytes.ts"
import { measureQuietTabs } from "../console/quiet-tabs.ts"

/** Pages without a record of their own. */
const PAGES = [
  "/filesets",
  "/jobs",
  "/compare",
  "/trends",
  "/launch",
  "/prompt",
  "/guardrails",
  "/calibration",
  "/models",
  "/workspaces",
  "/spending",
  "/secrets",
  "/tokens",
  "/audit",
  "/trash",
]

/** Measures the console in a browser: bytes, paints, tables, and what it asks while nothing happens. */
export const consolePages: Bench = {
  name: "console",
  async run({ folder, part, upTo }) {
    const { path: executablePath, reason } = await findChromium()
    if (executablePath === undefined) throw new Error(reason)
    const data = join(folder, "data")
    const server = await startAssay(data, { ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
    const browser = await chromium.launch({ executablePath, args: [...BROWSER_FLAGS] })
    const subject: ConsoleSubject = { url: server.url, browser, folder, cpuSeconds: () => server.cpuSeconds() }
    try {
      await part("bytes", () => measurePageBytes(subject, PAGES))
      await part("searches", async () => {
        await storeMillionRows(subject)
        return measureSearches(subject)
      })
      await part("first view", () => measureFirstView(subject, MILLION_ROWS))
      await part("a million rows", () => measureMillionRows(subject))
      let job = ""
      await part("rows of a job", async () => {
        job = await runLargeJob(subject)
        return measureJobRows(subject, job)
      })
      await part("files", () => measureManyFiles(subject, { data, upTo }))
      await part("quiet pages", () => {
        const ofRecords = [MILLION_ROWS, "/filesets/default/million", `/jobs/${job}`, `/jobs/${job}?tab=rows`]
        return measureQuietTabs(subject, ["/", ...PAGES, ...ofRecords])
      })
      await part("lost server", () => measureLostServer(subject))
      await part("live events", () => measureLiveEvents(subject))
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

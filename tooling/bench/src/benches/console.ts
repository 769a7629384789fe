import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { once } from "node:events"
import process from "node:process"
import { BROWSER_FLAGS, findChromium } from "@assay/testkit"
import { chromium, type Browser } from "playwright-core"
import { CLI_MAIN, startAssay } from "../assay-server.ts"
import { atLeast, atMost, type Bench } from "../bench.ts"
import { measureLiveEvents } from "../console/live-events.ts"
import { firstPaint, heapBytes, scriptBytes, scrollFrames } from "../console/page-measures.ts"
import { median } from "../measure/median.ts"
import { runCommand } from "../measure/run-command.ts"

const ROWS = 1_000_000
const PAINTS = 10
const SCROLLED_SECONDS = 5
const ROUTES = ["/filesets", "/jobs", "/compare", "/launch", "/guardrails", "/models"]
const TABLE = "/rows/default/million?path=rows.jsonl"

/** Writes a file of a million short rows. */
async function writeRows(file: string): Promise<void> {
  const out = createWriteStream(file)
  for (let first = 0; first < ROWS; first += 10_000) {
    const lines = Array.from(
      { length: 10_000 },
      (_, place) => `{"id":${first + place},"text":"row ${first + place}","score":${(place * 7919) % 1000}}\n`,
    )
    if (!out.write(lines.join(""))) await once(out, "drain")
  }
  out.end()
  await once(out, "finish")
}

export const consolePages: Bench = {
  name: "console",
  async run({ folder, part }) {
    const { path: executablePath, reason } = await findChromium()
    if (executablePath === undefined) throw new Error(reason)
    const server = await startAssay(join(folder, "data"))
    const browser = await chromium.launch({ executablePath, args: [...BROWSER_FLAGS] })
    try {
      const open = (address: string) => openPage(browser, `${server.url}${address}`)
      await part("bytes", async () => {
        const first = await open("/")
        const before = await scriptBytes(first)
        await first.close()
        const further: number[] = []
        for (const route of ROUTES) {
          const page = await open(route)
          further.push((await scriptBytes(page)) - before)
          await page.close()
        }
        const largest = Math.max(...further) / 1024
        return [
          atMost(
            { work: "scripts of the first page", does: "Bytes of scripts and styles as sent (Brotli), in KiB." },
            before / 1024,
            117,
            "KiB",
          ),
          atMost(
            { work: "scripts of a further page", does: "The largest of six pages, beyond those of the first page." },
            largest,
            60,
            "KiB",
          ),
        ]
      })
      await part("first paint", async () => {
        const paints: number[] = []
        for (let round = 0; round < PAINTS; round += 1) {
          const page = await open("/filesets")
          paints.push(await firstPaint(page))
          await page.close()
        }
        const does = "Milliseconds to the first paint of a page in a new browser profile, median of 10."
        return [atMost({ work: "first paint", does }, median(paints), 300, "ms")]
      })
      await part("a million rows", async () => {
        const file = join(folder, "rows.jsonl")
        await writeRows(file)
        await runCommand(process.execPath, [CLI_MAIN, "push", file, "default/million"], { ASSAY_URL: server.url })
        const page = await open(TABLE)
        await page.getByText("1,000,000 rows").waitFor()
        await page.getByText("row 5", { exact: true }).waitFor()
        const frames = await scrollFrames(page, SCROLLED_SECONDS)
        const heap = (await heapBytes(page)) / 2 ** 20
        const jumps: number[] = []
        for (const index of [900_000, 100_000, 899_000, 500_000, 901_000]) {
          await page.getByLabel("Go to row").fill(String(index))
          const started = performance.now()
          await page.getByLabel("Go to row").press("Enter")
          await page.getByText(`row ${index}`, { exact: true }).first().waitFor()
          jumps.push(performance.now() - started)
        }
        await page.close()
        return [
          atLeast(
            { work: "scroll over a million rows", does: "Frames a second while each frame scrolls by 400 pixels." },
            frames,
            50,
            "frames/s",
          ),
          atMost(
            { work: "heap of that page", does: "MiB after the scroll and a collection of garbage." },
            heap,
            120,
            "MiB",
          ),
          atMost(
            { work: "jump to a far row", does: "Milliseconds from enter to the row on the screen, median of 5." },
            median(jumps),
            200,
            "ms",
          ),
        ]
      })
      await part("live events", () => measureLiveEvents({ url: server.url, folder, browser }))
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

async function openPage(browser: Browser, address: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(address)
  await page.getByRole("heading", { level: 1 }).waitFor()
  return page
}

import { join } from "node:path"
import { startAssay } from "../assay-server.ts"
import { atMost, type Measurement } from "../bench.ts"
import { openPage, type ConsoleSubject } from "./open-page.ts"

/** Measures how soon an open page says that its server has ended. */
export async function measureLostServer({ browser, folder }: ConsoleSubject): Promise<readonly Measurement[]> {
  const server = await startAssay(join(folder, "lost"))
  const page = await openPage(browser, `${server.url}/jobs`)
  await page.waitForLoadState("networkidle").catch(() => {})
  const started = performance.now()
  await server.stop()
  await page.getByText("No connection.").waitFor()
  const seconds = (performance.now() - started) / 1000
  await page.close()
  const row = {
    work: "lost server",
    does: "Seconds from the end of a server to the sentence about it on an open page.",
  }
  return [atMost(row, seconds, 5, "s")]
}

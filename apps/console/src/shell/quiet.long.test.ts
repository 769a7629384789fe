import { readdir, readFile } from "node:fs/promises"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { hasBrowser, useConsole } from "../testing/console-test.ts"

/** Pages that are open at a time. */
const TOGETHER = 12
const QUIET_MS = 20_000
/** Returns the levels of the headings that can be seen. */
const HEADINGS = `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((heading) => heading.checkVisibility())
  .map(({ tagName }) => Number(tagName[1]))`

describe.runIf(hasBrowser)("an open page on which nothing happens", () => {
  const console = useConsole()

  it(
    "asks nothing for 20 seconds, whichever page it is, and its headings skip no level",
    { ...verifies("console.quiet"), timeout: 240_000 },
    async () => {
      const { filesets, files, evaluation, workspaces } = console.client
      await workspaces.create({ name: "quiet" })
      await filesets.create("quiet", { name: "rows", purpose: "dataset" })
      await files.write("quiet", "rows", "rows.jsonl", '{"word": "one"}\n')
      const check = { type: "string-check", params: { check: ["{{ item.answer }}", "equals", "a"] } }
      const config = { type: "custom", tasks: { qa: { type: "data", metrics: { same: check } } } }
      const target = { type: "rows", rows: [{ answer: "a" }] }
      const { id } = await evaluation.jobs.launch({ namespace: "quiet", target, config } as never)
      for await (const _ of evaluation.jobs.events(id)) continue
      const paths = (await listPages()).map((path) =>
        path.replace("$id", id).replace("$workspace", "quiet").replace("$name", "rows"),
      )
      const tabs = ["rows", "labels", "shards", "log", "definition"].map((tab) => `/jobs/${id}?tab=${tab}`)
      const faults: string[] = []
      const look = async (path: string) => {
        await using opened = await console.open(path)
        const { page } = opened
        await page.locator("h1").first().waitFor()
        await page.locator(".loading").first().waitFor({ state: "detached" })
        // What a page asks after its first answers, and what it looks at once more.
        await page.waitForTimeout(4000)
        page.on("request", (request) => faults.push(`${path} asks ${request.url()}`))
        await page.waitForTimeout(QUIET_MS)
        const found = await page.evaluate<number[]>(HEADINGS)
        const isInOrder = found[0] === 1 && found.every((level, at) => at === 0 || level <= (found[at - 1] ?? 0) + 1)
        if (!isInOrder) faults.push(`${path} has headings of the levels ${found.join(", ")}`)
      }
      const all = [...paths, ...tabs]
      expect(all.length).toBeGreaterThan(20)
      for (let at = 0; at < all.length; at += TOGETHER) await Promise.all(all.slice(at, at + TOGETHER).map(look))
      expect(faults).toEqual([])
    },
  )
})

/** Lists the addresses of all pages of the console. */
async function listPages(): Promise<readonly string[]> {
  const folder = new URL("../pages/", import.meta.url)
  const groups = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const texts = await Promise.all(groups.map(({ name }) => readFile(new URL(`${name}/routes.ts`, folder), "utf8")))
  return texts.flatMap((text) => [...text.matchAll(/pageRoute\(root, "([^"]+)"/gu)].map(([, path = ""]) => path))
}

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, forComparison, type Bench } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { compareLoads } from "../load.ts"
import { seedFilesets } from "../seed-filesets.ts"

const COUNT = 100_000
const CONNECTIONS = 64

/** Starts a bare route that returns the same bytes as `url`. */
async function bareCopyOf(url: string, file: string) {
  await writeFile(file, await (await fetch(url)).text())
  return startChildServer(bareScript("route"), [file])
}

export const listFilesets: Bench = {
  name: "list",
  async run({ folder, log }) {
    const data = join(folder, "..", `seed-${COUNT}`)
    await seedFilesets(data, COUNT, log)
    const server = await startAssay(data)
    const base = `${server.url}/apis/files/v2/workspaces/default/filesets`
    const first = (await (await fetch(`${base}?page_size=1`)).json()) as { data: { name: string }[] }
    const oneUrl = `${base}/${first.data[0]?.name}`
    const barePage = await bareCopyOf(base, join(folder, "page.json"))
    const bareOne = await bareCopyOf(oneUrl, join(folder, "one.json"))
    const load = (url: string) => ({ url, connections: CONNECTIONS })
    const filter = `${base}?filter[purpose]=dataset&filter[storage_type]=local`
    const like = `${base}?filter[name][$like]=ledger-pro`
    // More pages than the server caches.
    const { pathname } = new URL(base)
    const varied = (query: (index: number) => string) => ({
      ...load(base),
      paths: Array.from({ length: 1000 }, (_, index) => `${pathname}?${query(index)}`),
    })
    const [bare = 0, page = 0, deep = 0, filtered = 0, liked = 0, pages = 0, likes = 0, bareGet = 0, get = 0] =
      await compareLoads([
        load(barePage.url),
        load(base),
        load(`${base}?page=500`),
        load(filter),
        load(like),
        varied((index) => `page=${index + 1}`),
        varied((index) => `filter[name][$like]=${(1296 + 40 * index).toString(36)}`),
        load(bareOne.url),
        load(oneUrl),
      ])
    await Promise.all([server.stop(), barePage.stop(), bareOne.stop()])
    const rate = (value: number) => `${Math.round(value)}/s`
    return [
      atLeast(
        "list, page of 10 of 100,000, 64 connections, to a bare route",
        page / bare,
        0.5,
        `${rate(page)} to ${rate(bare)}`,
      ),
      atLeast("page 500 to page 1", deep / page, 0.3, `${rate(deep)} to ${rate(page)}`),
      atLeast("purpose and storage type to page 1", filtered / page, 0.3, `${rate(filtered)} to ${rate(page)}`),
      atMost("time of $like (1,000 matches) to page 1", page / liked, 5, `${rate(liked)} to ${rate(page)}`),
      forComparison(
        "another of 1,000 pages each time, to a bare route",
        `${(pages / bare).toFixed(2)} (${rate(pages)})`,
      ),
      forComparison(
        "time of $like with other letters each time, counted anew, to such a page",
        `${(pages / likes).toFixed(2)} (${rate(likes)})`,
      ),
      atLeast("get one fileset, to a bare route", get / bareGet, 0.6, `${rate(get)} to ${rate(bareGet)}`),
      atMost(
        "seconds until ready on 100,000 filesets",
        server.readyAfterMs / 1000,
        1,
        "from spawn to the printed address",
      ),
    ]
  },
}

import { startAssay } from "../assay-server.ts"
import { createFilesets } from "../filesets/create-filesets.ts"
import { filesetName, randomFieldPattern, randomPattern, scattered } from "../filesets/fileset-names.ts"
import { whileWriting } from "../filesets/while-writing.ts"
import { requestLoad } from "../measure/request-load.ts"
import type { AllowedGrowth, Cost } from "./grown-cost.ts"
import { othersCost, othersP99, othersP99During, quietCost } from "./others-latency.ts"

const ROUTE = "/apis/files/v2/workspaces/default/filesets"
const LETTERS = "abcdeghilmnoprstv"
const CREATED = 400
const PER_PAGE = 10

interface Kind {
  readonly name: string
  readonly does: string
  readonly grows: AllowedGrowth
  /** Returns a path that no request before had, so that no memory of answers helps. */
  readonly pathOf: (index: number) => string
}

/** Returns one of the first 30 pages, of 10 to 29 filesets. */
const firstPages = (index: number) =>
  `${ROUTE}?page=${1 + (index % 30)}&page_size=${10 + (Math.floor(index / 30) % 20)}`

const letter = (index: number) => LETTERS[Math.floor(scattered(index) * LETTERS.length)] ?? "e"

/** Returns the requests that are measured at a size. */
function kindsAt(count: number): readonly Kind[] {
  const pages = Math.max(1, count / PER_PAGE)
  const like = (field: string, pattern: string) => `${ROUTE}?filter[${field}][$like]=${pattern}`
  return [
    {
      name: "get",
      does: "A random fileset by name.",
      grows: "constant",
      pathOf: (index) => `${ROUTE}/${filesetName(Math.floor(scattered(index) * count))}`,
    },
    {
      name: "list page",
      does: "One of the first 30 pages, of 10 to 29 filesets.",
      grows: "constant",
      pathOf: firstPages,
    },
    {
      name: "deep page",
      does: "A random page of the last tenth.",
      grows: "sublinear",
      pathOf: (index) => `${ROUTE}?page=${Math.max(1, Math.floor(pages * (0.9 + 0.1 * scattered(index))))}`,
    },
    {
      name: "broad $like",
      does: "Two letters that many names contain, and a page of the matches.",
      grows: "linear",
      pathOf: (index) => `${like("name", letter(index * 2) + letter(index * 2 + 1))}&page=${1 + (index % 7)}`,
    },
    {
      name: "random $like",
      does: "3 to 12 random characters, each pattern asked once.",
      grows: "linear",
      pathOf: (index) => like("name", randomPattern(index, count)),
    },
    {
      name: "custom-field $like",
      does: "3 to 9 random characters of a custom field.",
      grows: "linear",
      pathOf: (index) =>
        `${like("custom_fields.source", encodeURIComponent(randomFieldPattern(index)))}&page=${1 + (index % 7)}`,
    },
  ]
}

/** Measures the costs of a data folder with `count` seeded filesets. */
export async function filesetCosts(
  dataFolder: string,
  count: number,
  log: (line: string) => void,
): Promise<readonly Cost[]> {
  const server = await startAssay(dataFolder)
  const costs: Cost[] = []
  const add = (cost: Omit<Cost, "unit">) => {
    log(`    ${cost.work}: ${cost.value.toFixed(2)} ms`)
    costs.push({ ...cost, unit: "ms" })
  }
  try {
    add({ work: "ready", does: "From spawn to the printed address.", grows: "constant", value: server.readyAfterMs })
    const quiet = await othersP99(server.url, count)
    for (const [turn, { name, does, grows, pathOf }] of kindsAt(count).entries()) {
      const load = { url: server.url, connections: 1, seconds: 2, pathOf }
      const { p50 } = await requestLoad(load, turn * 10_000_000)
      add({ work: name, does: `${does} Median of one client.`, grows, value: p50 })
      let started = turn * 10_000_000 + 5_000_000
      const value = await othersP99During(server.url, count, async () => {
        await requestLoad({ ...load, connections: 4, seconds: 0.5 }, started)
        started += 100_000
      })
      add(othersCost(name, "four clients send such requests", value))
    }
    add(quietCost(quiet))
    const { perSecond } = await createFilesets(server.url, `grown-${count}`, CREATED)
    add({ work: "create", does: "Time per fileset, 8 clients, durable.", grows: "constant", value: 1000 / perSecond })
    const { result } = await whileWriting(server.url, `grown-${count}`, () =>
      requestLoad({ url: server.url, connections: 1, seconds: 3, pathOf: firstPages }),
    )
    const does = "One of the first 30 pages while 50 filesets a second are created."
    add({ work: "listing under 50 writes/s", does: `${does} Median.`, grows: "constant", value: result.p50 })
    add({ work: "listing under 50 writes/s, p99", does, grows: "constant", value: result.p99 })
  } finally {
    await server.stop()
  }
  return costs
}

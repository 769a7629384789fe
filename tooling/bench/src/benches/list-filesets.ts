import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startAssay } from "../assay-server.ts"
import { bareScript } from "../bare/bare-script.ts"
import { atLeast, atMost, forComparison, type Bench, type BenchContext } from "../bench.ts"
import { startChildServer } from "../child-server.ts"
import { filesetName, randomFieldPattern, randomPattern, scattered } from "../filesets/fileset-names.ts"
import { databaseOf, seedFilesets } from "../filesets/seed-filesets.ts"
import { whileWriting } from "../filesets/while-writing.ts"
import { inTurns } from "../measure/in-turns.ts"
import { outputOf } from "../measure/output-of.ts"
import { compareLoads, requestLoad, type Load } from "../measure/request-load.ts"

const COUNT = 100_000
const FEW = 10_000
const CONNECTIONS = 64
/** About 2,000 patterns a second over 10,000 filesets, where one thread answers 250 with prepared statements. */
const PATTERN_BAR = 8
const WRITTEN_PATTERN_BAR = 6
const ROUTE = "/apis/files/v2/workspaces/default/filesets"

/** Starts a bare route that returns the same bytes as `url`. */
async function bareCopyOf(url: string, file: string) {
  await writeFile(file, await (await fetch(url)).text())
  return startChildServer(bareScript("route"), [file])
}

const rate = (value: number) => `${Math.round(value)}/s`
const pair = (ours: number, theirs: number) => `${rate(ours)} to ${rate(theirs)}`
const scatteredPage = (index: number) => 1 + Math.floor(scattered(index) * (COUNT / 10))

/** Measures pages of 100,000 filesets against a route that only sends the bytes of a page. */
async function pages({ folder, part }: BenchContext, data: string): Promise<void> {
  const server = await startAssay(data)
  const base = `${server.url}${ROUTE}`
  const bare = await bareCopyOf(base, join(folder, "page.json"))
  const bareOne = await bareCopyOf(`${base}/${filesetName(0)}`, join(folder, "one.json"))
  const load = (url: string, pathOf?: Load["pathOf"]) => ({
    url,
    connections: CONNECTIONS,
    ...(pathOf === undefined ? {} : { pathOf }),
  })
  const barePage = load(bare.url)
  try {
    await part("pages", async () => {
      const [route, repeated, random, filtered] = await compareLoads([
        barePage,
        load(base),
        load(base, (index) => `${ROUTE}?page=${scatteredPage(index)}`),
        load(base, (index) => {
          const query = `filter[purpose]=dataset&filter[storage_type]=local&page=${1 + (scatteredPage(index) % 3000)}`
          return `${ROUTE}?${query}`
        }),
      ])
      return [
        atLeast(
          {
            work: "the same page again and again",
            does: "One URL, 64 connections, to a bare Fastify route: a memory.",
          },
          repeated.rate / route.rate,
          0.5,
          pair(repeated.rate, route.rate),
        ),
        atLeast(
          { work: "scattered pages", does: "A random one of 10,000 pages each time, to a bare Fastify route." },
          random.rate / route.rate,
          0.3,
          pair(random.rate, route.rate),
        ),
        atLeast(
          { work: "scattered pages with a filter", does: "Purpose and storage type, to scattered pages without them." },
          filtered.rate / random.rate,
          0.3,
          pair(filtered.rate, random.rate),
        ),
      ]
    })
    await part("first page while filesets are created", async () => {
      const { rate: route } = await requestLoad(barePage)
      const { result, writes } = await whileWriting(server.url, "page", () =>
        requestLoad({ ...load(base), seconds: 6 }),
      )
      return [
        atLeast(
          { work: "first page, 50 writes/s", does: "One URL while 50 filesets a second are created, to a bare route." },
          result.rate / route,
          0.35,
          `${pair(result.rate, route)}, ${writes} writes`,
        ),
      ]
    })
    await part("get", async () => {
      const records = await startChildServer(bareScript("record-route"), [databaseOf(data)])
      const distinct = (url: string) =>
        load(url, (index) => `${ROUTE}/${filesetName(Math.floor(scattered(index) * COUNT))}`)
      try {
        const [route, get, read] = await compareLoads([load(bareOne.url), distinct(base), distinct(records.url)])
        const work = "get distinct filesets"
        return [
          atLeast(
            {
              work,
              does: "A random one of 100,000 each time, to a Fastify route that reads the same row with a prepared statement.",
            },
            get.rate / read.rate,
            0.6,
            pair(get.rate, read.rate),
          ),
          forComparison(
            {
              work: `${work}, to no database`,
              does: "The same, to a Fastify route that sends the bytes of one record.",
            },
            `${(get.rate / route.rate).toFixed(2)} (${pair(get.rate, route.rate)})`,
          ),
        ]
      } finally {
        await records.stop()
      }
    })
    await part("ready", async () => {
      const [ours, route] = await inTurns([
        () => readyAfter(() => startAssay(join(folder, "data-few"))),
        () => readyAfter(() => startChildServer(bareScript("route"), [join(folder, "page.json")])),
      ])
      const detail = `${Math.round(ours)} ms to ${Math.round(route)} ms`
      const does = "From spawn to the printed address on 10,000 filesets, to a Fastify server with one route."
      return [atMost({ work: "time until ready", does }, ours / route, 2.5, detail)]
    })
  } finally {
    await Promise.all([server.stop(), bare.stop(), bareOne.stop()])
  }
}

async function readyAfter(start: () => ReturnType<typeof startChildServer>): Promise<number> {
  const server = await start()
  await server.stop()
  return server.readyAfterMs
}

/** Measures patterns of 3 to 12 characters, each asked once, against prepared statements over the same table. */
async function patterns({ part }: BenchContext, data: string, count: number): Promise<void> {
  const server = await startAssay(data)
  const size = count.toLocaleString("en-US")
  let asked = 0
  const ask = async (field: string) => {
    const pattern = (index: number) => (field === "name" ? randomPattern(index, count) : randomFieldPattern(index))
    const query = (index: number) => `filter[${field}][$like]=${encodeURIComponent(pattern(index))}`
    const found = await requestLoad(
      { url: server.url, connections: CONNECTIONS, pathOf: (index) => `${ROUTE}?${query(index)}` },
      asked,
    )
    asked += 1_000_000
    return found.rate
  }
  const askBare = async (column: string) =>
    Number(await outputOf(bareScript("sqlite-patterns"), [databaseOf(data), String(count), "3", String(asked), column]))
  try {
    await part(`random patterns over ${size}`, async () => {
      const [ours, bare] = await inTurns([() => ask("name"), () => askBare("name")])
      const does =
        "$like with 3 to 12 random characters, each asked once, over HTTP, to prepared SQLite queries (page and count) over the same table."
      return [
        atLeast(
          { work: `random patterns in names, ${size} filesets`, does },
          ours / bare,
          PATTERN_BAR,
          pair(ours, bare),
        ),
      ]
    })
    await part(`random patterns in custom fields over ${size}`, async () => {
      const [ours, bare] = await inTurns([() => ask("custom_fields.source"), () => askBare("source")])
      const does = "The same in a custom field, to prepared SQLite queries on the JSON text."
      const row = { work: `random patterns in a custom field, ${size} filesets`, does }
      return [atLeast(row, ours / bare, PATTERN_BAR, pair(ours, bare))]
    })
    await part(`random patterns over ${size} while filesets are created`, async () => {
      const bare = await askBare("name")
      const { result, writes } = await whileWriting(server.url, "pattern", () => ask("name"))
      const does = "The same in names while 50 filesets a second are created, to the prepared queries without writes."
      const row = { work: `random patterns in names, ${size} filesets, 50 writes/s`, does }
      const detail = `${pair(result, bare)}, ${writes} writes`
      return [atLeast(row, result / bare, WRITTEN_PATTERN_BAR, detail)]
    })
  } finally {
    await server.stop()
  }
}

export const listFilesets: Bench = {
  name: "list",
  async run(context) {
    const few = join(context.folder, "data-few")
    const many = join(context.folder, "data-many")
    await seedFilesets(few, FEW)
    context.log(`list: creating ${COUNT} filesets`)
    await seedFilesets(many, COUNT)
    await patterns(context, few, FEW)
    await pages(context, many)
    await patterns(context, many, COUNT)
  },
}

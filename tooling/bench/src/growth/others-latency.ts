import { atMost, type Measurement } from "../bench.ts"
import { filesetName, scattered } from "../filesets/fileset-names.ts"
import { requestLoad } from "../measure/request-load.ts"
import type { Cost, CostsAtSize } from "./grown-cost.ts"

const ROUTE = "/apis/files/v2/workspaces/default/filesets"

/** Returns the 99th percentile of plain gets of distinct filesets, one at a time for `seconds`, in milliseconds. */
export async function othersP99(server: string, count: number, seconds = 2): Promise<number> {
  const pathOf = (index: number) => `${ROUTE}/${filesetName(Math.floor(scattered(index) * count))}`
  const { p99 } = await requestLoad({ url: server, connections: 1, seconds, pathOf })
  return p99
}

/** Returns the 99th percentile of plain gets while `work` is repeated. `work` runs at least once, and is awaited. */
export async function othersP99During(server: string, count: number, work: () => Promise<unknown>): Promise<number> {
  const measuring = new AbortController()
  const repeat = async () => {
    while (!measuring.signal.aborted) await work()
  }
  const measure = async () => {
    try {
      return await othersP99(server, count)
    } finally {
      measuring.abort()
    }
  }
  const [value] = await Promise.all([measure(), repeat()])
  return value
}

const QUIET = "p99 of others, quiet"
const DURING = "p99 of others during"
/** The highest latency of others during a load, as a multiple of their latency without it. */
const MULTIPLE = 10

/** Returns the cost of a plain get while `name` is under load, at every size the same. */
export function othersCost(name: string, load: string, value: number): Cost {
  return { work: `${DURING} ${name}`, does: `A plain get while ${load}.`, grows: "constant", unit: "ms", value }
}

/** Returns the cost of a plain get while nothing else runs. */
export function quietCost(value: number): Cost {
  return { work: QUIET, does: "A plain get while nothing else runs.", grows: "constant", unit: "ms", value }
}

/** Returns the latency of others during each kind of load at the largest size, as a multiple of the quiet latency there. */
export function othersUnderLoad(sizes: readonly CostsAtSize[]): readonly Measurement[] {
  const last = sizes.at(-1)
  const quiet = last?.costs.find(({ work }) => work === QUIET)?.value
  if (last === undefined || quiet === undefined) return []
  const size = last.size.toLocaleString("en-US")
  return last.costs
    .filter(({ work }) => work.startsWith(DURING))
    .map(({ work, does, value }) => {
      const row = { work: `${work}, to quiet`, does: `${does} At ${size}.` }
      return atMost(row, value / quiet, MULTIPLE, `${value.toFixed(2)} ms to ${quiet.toFixed(2)} ms`)
    })
}

import { setTimeout as sleep } from "node:timers/promises"
import { startAssay } from "../assay-server.ts"
import { inTurns } from "../measure/in-turns.ts"
import { memoryGrowth } from "../measure/memory-growth.ts"
import { timeAnswer } from "../measure/timed-answer.ts"
import type { Cost } from "./grown-cost.ts"
import { othersCost, othersP99, othersP99During, quietCost } from "./others-latency.ts"

const MIB = 2 ** 20
const LISTS = 12
/** Milliseconds after which a listing is not used any more, if it did not take longer. */
const LISTING_MS = 1500

export interface FileCostsContext {
  readonly dataFolder: string
  /** The name of the fileset with the files. */
  readonly fileset: string
  /** Number of filesets of the data folder, for the requests of others. */
  readonly filesets: number
  readonly log: (line: string) => void
}

/** Walks all pages of a tree by their `Link`, and returns the milliseconds. */
async function walkTree(url: string): Promise<number> {
  const started = performance.now()
  for (let next: string | undefined = url; next !== undefined;) {
    const { headers } = await timeAnswer(next)
    next = /<([^>]+)>;\s*rel="next"/.exec(String(headers.link))?.[1]
  }
  return performance.now() - started
}

/** Measures the costs of a fileset of many files on a data folder. */
export async function fileCosts({ dataFolder, fileset, filesets, log }: FileCostsContext): Promise<readonly Cost[]> {
  const server = await startAssay(dataFolder)
  const list = `${server.url}/apis/files/v2/workspaces/default/filesets/${fileset}/files`
  const repository = `${server.url}/apis/files/v2/hf/api/models/default/${fileset}`
  const tree = `${repository}/tree/main?recursive=true`
  const costs: Cost[] = []
  const add = (cost: Cost) => {
    log(`    ${cost.work}: ${cost.value.toFixed(2)} ${cost.unit}`)
    costs.push(cost)
  }
  const addTime = (work: string, does: string, grows: Cost["grows"], value: number) =>
    add({ work, does, grows, value, unit: "ms" })
  const addMemory = (work: string, does: string, value: number) =>
    add({ work, does, grows: "constant", value: value / MIB, unit: "MiB" })
  const during = async (name: string, work: () => Promise<unknown>) =>
    add(othersCost(name, "such requests follow each other", await othersP99During(server.url, filesets, work)))
  try {
    add(quietCost(await othersP99(server.url, filesets)))
    const { total: first } = await timeAnswer(repository)
    addTime("first repository info", "Lists all files, which the server has not seen before.", "linear", first)
    // Computes the digests of files that were added since the size before, which are not the same part of all files at each size.
    await walkTree(tree)
    const lists = () => Promise.all(Array.from({ length: LISTS }, () => timeAnswer(list)))
    addMemory(
      "memory of an unpaged list",
      "Growth of resident memory.",
      await memoryGrowth(server, () => timeAnswer(list)),
    )
    addMemory(`memory of ${LISTS} unpaged lists`, "Growth of resident memory.", await memoryGrowth(server, lists))
    const change = async (text: string) => {
      const answer = await fetch(`${list.replace(/files$/, "-")}/part-0/changed.json`, { method: "PUT", body: text })
      if (!answer.ok) throw new Error(`The change returned ${answer.status}`)
    }
    let changes = 0
    const [firstByte, total, again, info, page, walk, changed, changedLater] = await inTurns([
      async () => (await timeAnswer(list)).firstByte,
      async () => (await timeAnswer(list)).total,
      // It lists all files again if the last listing is old. The requests after it do not.
      async () => (await timeAnswer(repository)).total,
      async () => (await timeAnswer(repository)).total,
      async () => (await timeAnswer(`${tree}&limit=100`)).total,
      () => walkTree(tree),
      async () => {
        await change(`${(changes += 1)}`)
        return (await timeAnswer(`${tree}&limit=1000`)).total
      },
      async () => {
        await change(`${(changes += 1)}`)
        await sleep(LISTING_MS)
        return (await timeAnswer(`${tree}&limit=1000`)).total
      },
    ])
    addTime("first byte of an unpaged list", "All files of a fileset in one answer.", "sublinear", firstByte)
    addTime("unpaged list", "The same, to the last byte.", "linear", total)
    addTime("hub tree page", "The first 100 files.", "sublinear", page)
    addTime("hub tree page after a change", "1,000 files, just after a change by the server.", "linear", changed)
    addTime("hub tree page long after a change", "The same: the state of all files is read.", "linear", changedLater)
    addTime("hub repository info, listed again", "Lists all files again, to see changes by others.", "linear", again)
    addTime("hub repository info", "With the names of all files, which were listed just before.", "linear", info)
    addTime("hub tree walk", "All pages, one after the other.", "linear", walk)
    await during("unpaged lists", () => timeAnswer(list))
    await during(`${LISTS} unpaged lists`, lists)
    await during("hub tree walks", () => walkTree(tree))
  } finally {
    await server.stop()
  }
  return costs
}

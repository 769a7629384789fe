import { startAssay } from "../assay-server.ts"
import { startChildServer } from "../child-server.ts"
import { fakeServer } from "../fakes/fake-server.ts"
import { createFakeSecrets, createFileset, fakeBucket } from "../filesets/create-fileset.ts"
import { inTurns } from "../measure/in-turns.ts"
import { memoryGrowth } from "../measure/memory-growth.ts"
import { timeAnswer } from "../measure/timed-answer.ts"
import type { Cost } from "./grown-cost.ts"

const MIB = 2 ** 20
/** Requests of which the median counts. */
const PAGES = 5

export interface ListingCostsContext {
  /** An empty folder. */
  readonly dataFolder: string
  /** Number of keys of the bucket. */
  readonly files: number
  readonly log: (line: string) => void
}

/** Measures the costs of a fileset whose files are the generated keys of a bucket. */
export async function listingCosts({ dataFolder, files, log }: ListingCostsContext): Promise<readonly Cost[]> {
  const bucket = await startChildServer(fakeServer("generated-bucket"), [JSON.stringify({ keys: files })])
  const server = await startAssay(dataFolder, { ASSAY_ALLOWED_HOSTS: "127.0.0.1" })
  const costs: Cost[] = []
  const add = (cost: Cost) => {
    log(`    ${cost.work}: ${cost.value.toFixed(2)} ${cost.unit}`)
    costs.push(cost)
  }
  /** Measures the time and the memory of a request that reads all files. */
  async function measureAll(work: string, does: string, url: string): Promise<void> {
    let total = 0
    const memory = await memoryGrowth(server, async () => {
      ;({ total } = await timeAnswer(url))
    })
    add({ work: `${work} of a bucket`, does, grows: "linear", value: total, unit: "ms" })
    add({
      work: `memory of ${work} of a bucket`,
      does: "Growth of resident memory. Much of it is garbage that V8 frees late.",
      grows: "sublinear",
      value: memory / MIB,
      unit: "MiB",
    })
  }
  /** Measures the time of a short request, in several turns. */
  async function measurePage(work: string, does: string, grows: Cost["grows"], url: string): Promise<void> {
    const [value] = await inTurns([async () => (await timeAnswer(url)).total], PAGES)
    add({ work: `${work} of a bucket`, does: `${does} Median of ${PAGES}.`, grows, value, unit: "ms" })
  }
  try {
    await createFakeSecrets(server.url)
    const fileset = await createFileset(server.url, "bucket", fakeBucket(bucket.url))
    const repository = `${server.url}/apis/files/v2/hf/api/models/default/bucket`
    const { headers } = await timeAnswer(`${fileset}/files?limit=1`)
    if (headers["content-type"]?.includes("json") !== true) throw new Error("The bucket is not listed.")
    await measureAll("first commit id", "Lists all keys and stores the revision.", `${repository}/refs`)
    // The server remembers a listing for as long as it took.
    const tree = `${repository}/tree/main`
    await measurePage("tree page of the root", "The folders of the first level, with their ids.", "sublinear", tree)
    await measurePage("tree page of a folder", "Its folders, with their ids.", "constant", `${tree}/shard-000`)
    await measureAll("unpaged list", "All files in one answer.", `${fileset}/files`)
  } finally {
    await server.stop()
    await bucket.stop()
  }
  return costs
}

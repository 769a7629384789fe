import { join } from "node:path"
import { startAssay } from "../assay-server.ts"
import type { Bench } from "../bench.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import { seedFiles } from "../filesets/seed-files.ts"
import { seedFilesets } from "../filesets/seed-filesets.ts"
import { fileCosts } from "../growth/file-costs.ts"
import { filesetCosts } from "../growth/fileset-costs.ts"
import { createsInTurns } from "../growth/creates-in-turns.ts"
import { boundMemory, flagGrowth, type CostsAtSize } from "../growth/grown-cost.ts"
import { listingCosts } from "../growth/listing-costs.ts"
import { othersUnderLoad } from "../growth/others-latency.ts"

const FILESETS = [1000, 10_000, 100_000, 1_000_000]
/** Creates with the largest number of filesets are compared with those with this number. */
const COMPARED = 10_000
const FILES = [1000, 10_000, 100_000, 200_000]
const KEYS = [1000, 10_000, 100_000, 1_000_000, 10_000_000]
/** Smaller revisions are in memory as a whole. */
const WHOLE = 100_000
const FEW = 1000
/** MiB by which the server may grow for any number of files. */
const MEMORY_BAR = 256
/** The same for listings of a bucket, whose pages and pieces are garbage faster than the server frees it. */
const KEYS_MEMORY_BAR = 512
const FILESET = "many-files"

/** Prints what each operation costs at growing sizes, and flags costs that grow faster than they should. */
export const growth: Bench = {
  name: "growth",
  async run({ folder, upTo, log, part }) {
    await part("filesets", async () => {
      const filesets: CostsAtSize[] = []
      const data = join(folder, "filesets")
      let seeded = 0
      for (const size of FILESETS.filter((count) => count <= upTo)) {
        log(`  ${size} filesets`)
        await seedFilesets(data, size, seeded)
        seeded = size
        filesets.push({ size, costs: await filesetCosts(data, size, log) })
      }
      const measured = [...flagGrowth(filesets), ...othersUnderLoad(filesets)]
      if (seeded <= COMPARED) return measured
      const few = { dataFolder: join(folder, "few-filesets"), count: COMPARED }
      await seedFilesets(few.dataFolder, few.count)
      return [...measured, await createsInTurns({ dataFolder: data, count: seeded }, few)]
    })
    await part("files of a fileset", async () => {
      const files: CostsAtSize[] = []
      const dataFolder = join(folder, "files")
      await seedFilesets(dataFolder, FEW)
      const server = await startAssay(dataFolder)
      await createFileset(server.url, FILESET)
      await server.stop()
      let written = 0
      for (const size of FILES.filter((count) => count <= upTo)) {
        log(`  ${size} files`)
        seedFiles(join(dataFolder, "storage", "filesets", "default", FILESET), size, written)
        written = size
        files.push({ size, costs: await fileCosts({ dataFolder, fileset: FILESET, filesets: FEW, log }) })
      }
      return [...flagGrowth(files), ...boundMemory(files, MEMORY_BAR), ...othersUnderLoad(files)]
    })
    await part("keys of a bucket", async () => {
      const keys: CostsAtSize[] = []
      for (const size of KEYS.filter((count) => count <= upTo)) {
        log(`  ${size} keys`)
        keys.push({ size, costs: await listingCosts({ dataFolder: join(folder, `keys-${size}`), files: size, log }) })
      }
      return [...flagGrowth(keys, { linearUpTo: WHOLE }), ...boundMemory(keys, KEYS_MEMORY_BAR)]
    })
  },
}

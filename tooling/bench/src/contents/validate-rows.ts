// Validates the rows of a folder. Prints seconds, valid rows and the highest resident memory. Arguments: folder, cores.
import process from "node:process"
import { openLocalStorage } from "@assay/storage"
import { createSchemaPool, validateRows } from "@assay/contents"
import { peakMemory } from "../measure/measure-memory.ts"
import { ROW_SCHEMA } from "./row-schema.ts"

const [path = "", cores = "1"] = process.argv.slice(2)
const started = performance.now()
const pool = createSchemaPool({ threads: Number(cores) + 1 })
const { valid } = await validateRows({
  schemas: pool.as("bench"),
  storage: openLocalStorage({ type: "local", path }),
  metadata: { schema: ROW_SCHEMA },
  parallel: Number(cores),
})
process.stdout.write(JSON.stringify({ seconds: (performance.now() - started) / 1000, valid, peak: peakMemory() }))
await pool.close()

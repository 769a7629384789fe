import type { SchemaPool, SchemaRunner } from "@assay/contents"
import { loadContents } from "./load-contents.ts"

/** The threads on which the schemas of users are compiled and used. The first request that needs them starts them. */
export interface Schemas {
  /** Threads that the work of one workspace shares with that of all others. */
  readonly of: (workspace: string) => Promise<SchemaRunner>
  readonly close: () => Promise<void>
}

/** As many threads as `cores`, and one that a single workspace can't take. */
export function createSchemas(cores: number): Schemas {
  let pool: SchemaPool | undefined
  return {
    async of(workspace) {
      const { createSchemaPool } = await loadContents()
      pool ??= createSchemaPool({ threads: cores + 1 })
      return pool.as(workspace)
    },
    async close() {
      await pool?.close()
    },
  }
}

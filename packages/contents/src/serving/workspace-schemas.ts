import type { SchemaPool, SchemaRunner } from "../checking/schema-pool.ts"

/** The threads that compile and use row schemas of users. The first request that needs them starts them. */
export interface Schemas {
  /** Returns the threads for the work of one workspace, which all workspaces share. */
  readonly of: (workspace: string) => Promise<SchemaRunner>
  readonly close: () => Promise<void>
}

/** Creates `cores` + 1 threads. A single workspace can occupy all but one. */
export function createSchemas(cores: number): Schemas {
  let pool: SchemaPool | undefined
  return {
    async of(workspace) {
      const { createSchemaPool } = await import("../checking/schema-pool.ts")
      pool ??= createSchemaPool({ threads: cores + 1 })
      return pool.as(workspace)
    },
    async close() {
      await pool?.close()
    },
  }
}

import type { SchemaPool, SchemaPoolOptions, SchemaRunner } from "../checking/schema-pool.ts"

/** The threads that compile and use row schemas of users. The first request that needs them starts them. */
export interface Schemas {
  /** Returns the threads for the work of one workspace, which all workspaces share. */
  readonly of: (workspace: string) => Promise<SchemaRunner>
  readonly close: () => Promise<void>
}

/** The limits of the work on one schema, with the defaults of a schema pool. */
export type SchemaLimits = Pick<SchemaPoolOptions, "compileMs" | "checkMs">

/** Creates `cores` + 1 threads. A single workspace can occupy all but one. */
export function createSchemas(cores: number, limits: SchemaLimits = {}): Schemas {
  let pool: SchemaPool | undefined
  return {
    async of(workspace) {
      const { createSchemaPool } = await import("../checking/schema-pool.ts")
      pool ??= createSchemaPool({ ...limits, threads: cores + 1 })
      return pool.as(workspace)
    },
    async close() {
      await pool?.close()
    },
  }
}

import type { SchemaRunner } from "../checking/schema-pool.ts"
import { createSchemaPool, type SchemaWorkOptions } from "../checking/schema-pool.ts"

/** Threads for the tests of one file, which end soon after them. */
export function testSchemas(options: SchemaWorkOptions = {}): SchemaRunner {
  return createSchemaPool({ threads: 3, idleMs: 1000, ...options }).as("test")
}

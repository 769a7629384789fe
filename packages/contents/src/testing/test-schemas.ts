import type { SchemaRunner } from "../threads/schema-pool.ts"
import { createSchemaPool, type SchemaWorkOptions } from "../validate/create-schema-pool.ts"

/** Threads for the tests of one file, which end soon after them. */
export function testSchemas(options: SchemaWorkOptions = {}): SchemaRunner {
  return createSchemaPool({ threads: 3, idleMs: 1000, ...options }).as("test")
}

import { createSchemaPool, type SchemaPoolOptions, type SchemaRunner } from "../threads/schema-pool.ts"

/** Threads for the tests of one file, which end soon after them. */
export function testSchemas(options: SchemaPoolOptions = {}): SchemaRunner {
  return createSchemaPool({ threads: 3, idleMs: 1000, ...options }).as("test")
}

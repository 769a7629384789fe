import { createSchemaPool, type SchemaRunner, type SchemaWorkOptions } from "../checking/schema-pool.ts"

/** Creates a schema pool that is closed after the test file. */
export function testSchemas(options: SchemaWorkOptions = {}): SchemaRunner {
  return createSchemaPool({ threads: 3, idleMs: 1000, ...options }).as("test")
}

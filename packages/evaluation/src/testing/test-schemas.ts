import { createSchemaPool, type SchemaRunner } from "@assay/contents"

/** Creates threads for one test, which end soon after it. */
export function testSchemas(): SchemaRunner {
  return createSchemaPool({ idleMs: 1000 }).as("test")
}

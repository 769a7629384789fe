import { createSchemaPool, type SchemaRunner } from "@assay/contents"
import type { Context } from "./context.ts"

/** The limits are high, because on their own machine users decide how long they wait. Times in milliseconds. */
const LIMITS = { compileMs: 60_000, checkMs: 60_000, memoryMb: 2048, checksHere: 16_000_000 }

/** Creates the threads on which a command compiles schemas and checks rows. Idle threads end after 500 ms. */
export function localSchemas({ cores }: Pick<Context, "cores">): SchemaRunner {
  return createSchemaPool({ ...LIMITS, threads: cores + 1, idleMs: 500 }).as("local")
}

import { createSchemaPool, type SchemaRunner } from "@assay/contents"
import type { Context } from "./context.ts"

/** On a machine of one's own a schema may cost what its owner is ready to wait for. */
const LIMITS = { compileMs: 60_000, checkMs: 60_000, memoryMb: 2048, checksHere: 16_000_000 }

/** The threads of one command on which schemas are compiled and rows are checked. They end soon after the command is done. */
export function localSchemas({ cores }: Pick<Context, "cores">): SchemaRunner {
  return createSchemaPool({ ...LIMITS, threads: cores + 1, idleMs: 500 }).as("local")
}

import type { verifyBundle } from "@assay/evidence"
import type { Context } from "../../context.ts"
import { localSchemas } from "../../local-schemas.ts"

type EvidencePorts = Omit<Parameters<typeof verifyBundle>[1], "trusted" | "rows">

/** Returns what computing scores again uses of this process. */
export function evidencePorts(context: Context): EvidencePorts {
  const { random, sleep, signal } = context
  return { schemas: localSchemas(context), random, sleep, signal, now: () => performance.now() }
}

import { setTimeout as wait } from "node:timers/promises"
import { type SchemaRunner, createSchemaPool } from "@assay/contents"
import { builtInConfigurations } from "@assay/guardrails"
import { AssayError } from "@assay/schemas"
import type { ScoringEnvironment } from "../scoring-context.ts"

/** Creates an environment for metrics, with fixed times and with waits of one millisecond. */
export function scoringEnvironment(): ScoringEnvironment {
  let ids = 0
  const sleep = async (_: number, signal?: AbortSignal) => {
    await wait(1, undefined, signal === undefined ? {} : { signal })
  }
  return {
    resolveKey: async ({ api_key_secret: secret }) => (secret === undefined ? undefined : `value-of-${secret}`),
    resolveSecret: async (reference) => `value-of-${reference}`,
    async getGuardrail(name) {
      const found = builtInConfigurations().find((one) => one.name === name)
      if (found === undefined) throw new AssayError("not_found", `Guardrail configuration '${name}' not found`)
      return found.data
    },
    schemas: testSchemas(),
    inference: { now: () => performance.now(), random: () => 0.5, sleep },
    now: () => 1_700_000_000_000,
    random: () => 0.5,
    newId: (prefix) => `${prefix}-${++ids}`,
    sleep,
  }
}

/** Creates threads for one test, which end soon after it. */
export function testSchemas(): SchemaRunner {
  return createSchemaPool({ idleMs: 1000 }).as("test")
}

import { setTimeout as wait } from "node:timers/promises"
import type { GuardrailContext } from "../guardrail.ts"

/** Creates a context for tests: with the real clock, ids that count up, and only the given secrets. */
export function guardrailContext(overrides: Partial<GuardrailContext> = {}): GuardrailContext {
  let ids = 0
  return {
    inference: {
      now: () => performance.now(),
      random: () => 0.5,
      sleep: async (milliseconds, signal) => {
        await wait(milliseconds, undefined, signal === undefined ? {} : { signal })
      },
    },
    resolveSecret: (reference) => Promise.resolve(`value-of-${reference.replace("/", "-")}`),
    now: () => 1_700_000_000_000,
    newId: () => `id-${++ids}`,
    ...overrides,
  }
}

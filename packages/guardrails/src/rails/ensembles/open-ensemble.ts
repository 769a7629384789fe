import type { EnsembleKind, RailPolicy } from "@assay/schemas"
import type { Rail } from "../rail.ts"
import { runAnyBlock } from "./run-any-block.ts"
import { runCascade } from "./run-cascade.ts"
import { runMajority } from "./run-majority.ts"

export interface EnsembleSetup {
  /** The flow as the configuration writes it. */
  readonly name: string
  readonly kind: EnsembleKind
  readonly members: readonly Rail[]
  readonly policy: RailPolicy | undefined
  /** Milliseconds, for durations. */
  readonly now: () => number
}

const RUNS = { majority: runMajority, "any-block": runAnyBlock, cascade: runCascade } as const

/** A rail that asks other rails; its entry in the log lists them. */
export function openEnsemble(setup: EnsembleSetup): Rail {
  return {
    name: setup.name,
    readsToolCalls: setup.members.some(({ readsToolCalls }) => readsToolCalls),
    run: (input, options) => RUNS[setup.kind](setup, input, options),
  }
}

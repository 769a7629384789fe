import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { EvaluationResult } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import type { AttemptResult } from "../run-local-attempt.ts"
import { MERGED, readJson, type RunStore, writeJson } from "@assay/executors"

/** The end of a merge. */
export type MergedRun = Omit<AttemptResult, "milliseconds" | "isInterrupted">

const RESULTS = parseFilePath("results/results.json")

const MergedFrame = Type.Object({
  status: Type.String(),
  message: Type.String(),
  id: Type.String(),
  outcome: Type.Object({ progress: Type.Object({}), conditions: Type.Array(Type.Object({})) }),
  details: Type.Object({}),
  gates: Type.Array(Type.Object({})),
})

/** Records the end of a merge, after its results are written. The scores are in their own file. */
export async function writeMerged(store: RunStore, merged: MergedRun, at: number): Promise<void> {
  const { id, details, gates } = merged
  const { result: _, ...outcome } = merged.outcome
  const { status, message } = outcome
  await writeJson(store, MERGED, { status, message, at, id, outcome, details, gates })
}

/**
 * Reads the end of a merge that another process made, with its scores. Undefined if the run is not merged, if its results are elsewhere, or if another
 * version merged it.
 */
export async function readMergedRun(store: RunStore): Promise<MergedRun | undefined> {
  const found = await readJson(store, MERGED)
  if (!Value.Check(MergedFrame, found)) return undefined
  const result = (await readJson(store, RESULTS)) as EvaluationResult | undefined
  if (result === undefined && found.status === "COMPLETED") return undefined
  const { id, outcome, details, gates } = found as unknown as MergedRun
  return { id, folder: store.folder ?? store.location, outcome: { ...outcome, result: result ?? null }, details, gates }
}

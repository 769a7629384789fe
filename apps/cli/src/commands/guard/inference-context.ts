import type { InferenceContext } from "@assay/inference"
import type { Context } from "../../context.ts"

/** What calls of inference endpoints take from this machine. Whoever runs a command may dial whatever this machine reaches. */
export function inferenceContext({ now, random, sleep }: Pick<Context, "now" | "random" | "sleep">): InferenceContext {
  return { now, random, sleep }
}

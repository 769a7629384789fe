import type { InferenceContext } from "@assay/inference"
import type { Context } from "../../context.ts"

/** Returns the context for calls of inference endpoints from this machine. Commands may connect to any host that it reaches. */
export function inferenceContext({ now, random, sleep }: Pick<Context, "now" | "random" | "sleep">): InferenceContext {
  return { now, random, sleep }
}

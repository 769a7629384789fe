import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"

/** The variable with the key of endpoints that name none. */
export const KEY_VARIABLE = "ASSAY_INFERENCE_API_KEY"

/**
 * Returns the key for models that this machine asks, or undefined if none is set.
 * @param chosen the variable that `--api-key-env` names
 * @throws `bad_usage` if a named variable is empty
 */
export function inferenceKey({ env }: Pick<Context, "env">, chosen: string | undefined): string | undefined {
  const key = env[chosen ?? KEY_VARIABLE]
  if (key !== undefined && key !== "") return key
  if (chosen === undefined) return undefined
  throw new AssayError("bad_usage", `--api-key-env names ${chosen}, which is not set: put the key into it.`)
}

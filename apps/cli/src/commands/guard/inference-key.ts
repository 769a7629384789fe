import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import type { EndpointOptions } from "./opened-guard.ts"

export const KEY_VARIABLE = "ASSAY_INFERENCE_API_KEY"

/** Returns the key for judges that this machine asks, or undefined if none is set. @throws `bad_usage` if a named variable is empty */
export function inferenceKey(
  { env }: Pick<Context, "env">,
  { apiKeyEnv }: Pick<EndpointOptions, "apiKeyEnv">,
): string | undefined {
  const key = env[apiKeyEnv ?? KEY_VARIABLE]
  if (key !== undefined && key !== "") return key
  if (apiKeyEnv === undefined) return undefined
  throw new AssayError("bad_usage", `--api-key-env names ${apiKeyEnv}, which is not set: put the key into it.`)
}

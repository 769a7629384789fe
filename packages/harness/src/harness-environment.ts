import type { EvaluationTargetBody } from "@assay/schemas"
import { checkHarnessAllowed, type Harness } from "./harness-config.ts"
import type { HarnessPorts } from "./harness-ports.ts"
import type { EndpointProxy } from "./sandbox/open-endpoint-proxy.ts"

interface HarnessEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** Those of the values that must not be shown. */
  readonly secrets: readonly string[]
}

/** The key that the harness sees if a proxy adds the real one. Many clients refuse to start without a key. */
const ADDED_KEY = "added-by-assay"

/**
 * Returns the variables that a harness is started with: those of the operator, those of its configuration, resolved secrets, and the
 * address, model and key of the target (`ASSAY_TARGET_URL`, `ASSAY_TARGET_MODEL`, `ASSAY_TARGET_API_KEY`). If a proxy adds the key,
 * the harness gets a placeholder instead. No variable of this process is passed on.
 * @throws `harness_not_allowed`, `secret_not_readable`
 */
export async function harnessEnvironment(
  { environment: own, secrets, results }: Harness,
  target: EvaluationTargetBody,
  environment: HarnessPorts,
  proxy?: Pick<EndpointProxy, "url">,
): Promise<HarnessEnvironment> {
  const allowed = checkHarnessAllowed(environment)
  const resolved = await Promise.all(
    Object.entries(secrets).map(
      async ([name, reference]) => [name, await environment.resolveSecret(reference)] as const,
    ),
  )
  const endpoint = target.model?.api_endpoint
  const key = endpoint === undefined ? undefined : await environment.resolveKey(endpoint)
  return {
    variables: {
      ...allowed,
      ASSAY_RESULTS: results,
      ...(endpoint === undefined
        ? {}
        : { ASSAY_TARGET_URL: proxy?.url ?? endpoint.url, ASSAY_TARGET_MODEL: endpoint.model_id }),
      ...(key === undefined ? {} : { ASSAY_TARGET_API_KEY: proxy === undefined ? key : ADDED_KEY }),
      ...own,
      ...Object.fromEntries(resolved),
    },
    secrets: [...resolved.map(([, value]) => value), ...(key === undefined ? [] : [key])],
  }
}

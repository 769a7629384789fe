import type { EvaluationTargetBody } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import { checkHarnessAllowed, type Harness } from "./harness-config.ts"
import type { EndpointProxy } from "./sandbox/open-endpoint-proxy.ts"

interface HarnessEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** The values among them that must not be shown. */
  readonly secrets: readonly string[]
}

/** What clients that insist on a key are given where a proxy adds the real one. */
const ADDED_KEY = "added-by-assay"

export type HarnessDependencies = Pick<
  JobEnvironment,
  | "workFolder"
  | "resolveKey"
  | "resolveSecret"
  | "harnessEnvironment"
  | "harnessSandbox"
  | "harnessLimits"
  | "inference"
  | "newId"
  | "now"
>

/**
 * The variables that a harness is started with: those of the operator, those of its configuration, secrets by their
 * references, and where and as whom the target is asked (`ASSAY_TARGET_URL`, `ASSAY_TARGET_MODEL`, `ASSAY_TARGET_API_KEY`).
 * Behind a proxy, which adds the key, it sees a word in its place. Nothing of the process that starts it is passed on.
 * @throws `harness_not_allowed`, `secret_not_readable`
 */
export async function harnessEnvironment(
  { environment: own, secrets, results }: Harness,
  target: EvaluationTargetBody,
  environment: HarnessDependencies,
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

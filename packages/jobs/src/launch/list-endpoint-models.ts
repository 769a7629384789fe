import { createModelPool } from "@assay/scoring"
import type { EndpointModels, EndpointModelsBody } from "@assay/schemas"
import type { JobScopeRights } from "../rights/job-rights.ts"
import { createHostEnvironment } from "./host-environment.ts"
import type { LaunchContext } from "./launch-job.ts"

export interface ListModelsOptions extends JobScopeRights {
  readonly signal: AbortSignal
}

/** Maximum number of models that are returned. */
const MAX_MODELS = 1000
const MAX_NAME = 500
const TIMEOUT_MS = 15_000

/**
 * Lists the models of an endpoint that a job of the workspace could ask, by the same rules for secrets and hosts.
 * @throws `host_not_allowed`, `secret_not_readable`, and the errors of the endpoint
 */
export async function listEndpointModels(
  endpoint: EndpointModelsBody,
  { workspace, rights, signal }: ListModelsOptions,
  context: Pick<LaunchContext, "workFolder"> & Parameters<typeof createHostEnvironment>[0],
): Promise<EndpointModels> {
  const { workFolder } = context
  const environment = await createHostEnvironment(context, { workspace, rights, workFolder })
  environment.checkEndpoint?.(endpoint.url)
  const models = createModelPool(environment)
  try {
    // The list of an endpoint is the same whatever model is asked.
    const { client } = await models.open({ ...endpoint, model_id: "models" })
    const listed = await client.listModels({ signal, maxRetries: 0, maxRateLimitWaitMs: 0, timeoutMs: TIMEOUT_MS })
    const names = [...new Set(listed)].filter((name) => name.length <= MAX_NAME)
    const data = names.slice(0, MAX_MODELS).map((id) => ({ id }))
    return { object: "list", data, is_cut: names.length > MAX_MODELS }
  } finally {
    await models.close()
  }
}

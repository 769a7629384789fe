import type { ApiEndpoint } from "@assay/schemas"
import { openResponseCache } from "../engine/response-cache.ts"
import { askModel } from "./ask-model.ts"
import { givenSample } from "./given-sample.ts"
import type { PlanContext } from "./plan-context.ts"
import type { RequestTemplate } from "./request-template.ts"
import type { RunParams } from "./run-params.ts"
import type { Ask } from "./task-plan.ts"

export interface AskToOpen {
  /** Undefined where the rows bring their outputs along. */
  readonly endpoint: ApiEndpoint | undefined
  readonly request: RequestTemplate
  readonly run: RunParams
}

/** Opens what gets the sample of each row: the target's model, or the row itself. @throws `secret_not_readable` */
export async function openAsk(
  { endpoint, request, run }: AskToOpen,
  { models, environment, onClose }: PlanContext,
): Promise<Ask> {
  if (endpoint === undefined) return { kind: "given", take: givenSample }
  const model = await models.open(endpoint)
  const folder = run.isCached ? environment.responseCacheFolder : undefined
  const cache = folder === undefined ? undefined : openResponseCache(folder)
  if (cache !== undefined) onClose(() => cache.close())
  return askModel({ model, request, params: run, cache })
}

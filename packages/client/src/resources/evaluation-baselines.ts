import type { Baseline, BaselineList } from "@assay/schemas"
import type { CallOptions } from "../client-options.ts"
import type { CallJson } from "../exchange/call-json.ts"

/** Names for results of jobs, which later jobs are compared with. */
export interface EvaluationBaselines {
  list(workspace: string, options?: CallOptions): Promise<BaselineList>
  /** @throws `not_found` */
  get(workspace: string, name: string, options?: CallOptions): Promise<Baseline>
  /** Creates a baseline, or moves it to another job. @throws `not_found`; `invalid_request` for a job without a result */
  set(workspace: string, name: string, job: string, options?: CallOptions): Promise<Baseline>
  /** Deletes a baseline. Its job stays. @throws `not_found` */
  remove(workspace: string, name: string, options?: CallOptions): Promise<Baseline>
}

export function createEvaluationBaselines(call: CallJson): EvaluationBaselines {
  const path = (...parts: readonly string[]) => ["/v1/evaluation/baselines", ...parts.map(encodeURIComponent)].join("/")
  return {
    list: async (workspace, { signal } = {}) => call({ method: "GET", path: path(workspace), signal }),
    get: async (workspace, name, { signal } = {}) => call({ method: "GET", path: path(workspace, name), signal }),
    set: async (workspace, name, job, { signal } = {}) =>
      call({ method: "PUT", path: path(workspace, name), json: { job }, signal }),
    remove: async (workspace, name, { signal } = {}) => call({ method: "DELETE", path: path(workspace, name), signal }),
  }
}

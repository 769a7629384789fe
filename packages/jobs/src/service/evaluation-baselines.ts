import { checkNamespace, type Document, type Registry } from "@assay/registry"
import {
  AssayError,
  type Baseline,
  type BaselineList,
  type EvaluationJob,
  invalidRequest,
  MAX_BASELINE_HISTORY,
} from "@assay/schemas"
import { findJob, type JobCaller } from "./job-caller.ts"

/** Names for results of jobs. Each operation checks the rights of its caller in the workspace of the baseline. */
export interface EvaluationBaselines {
  list(workspace: string, caller: JobCaller): Promise<BaselineList>
  /** @throws `not_found` */
  get(address: BaselineAddress, caller: JobCaller): Promise<Baseline>
  /** Creates the baseline, or moves it to another job. @throws `not_found`; `invalid_request` for a job without a result, or of another workspace */
  set(address: BaselineAddress, job: string, by: JobCaller & { readonly name: string }): Promise<Baseline>
  /** @throws `not_found` */
  remove(address: BaselineAddress, caller: JobCaller): Promise<Baseline>
  /** @throws `in_use` if a baseline points to the job */
  checkRemovable(job: EvaluationJob): Promise<void>
}

export interface BaselineAddress {
  readonly workspace: string
  readonly name: string
}

/** The data of a baseline. The newest entry is what it points to. */
export type BaselineData = Pick<Baseline, "history">

/** A workspace has a few baselines. More than this are refused. */
const MAX_BASELINES = 1000

export function createEvaluationBaselines(registry: Registry, now: () => number): EvaluationBaselines {
  const { evaluationBaselines: documents } = registry
  const listed = async (workspace: string) =>
    (await documents.list(workspace, { page: 1, page_size: MAX_BASELINES, sort: "name" })).data

  return {
    async list(workspace, { checkRole }) {
      checkRole(workspace, "viewer")
      return { object: "list", data: (await listed(workspace)).map(baselineOf) }
    },
    async get({ workspace, name }, { checkRole }) {
      checkRole(workspace, "viewer")
      return baselineOf(await documents.get(workspace, name))
    },
    async set({ workspace, name }, id, caller) {
      caller.checkRole(workspace, "editor")
      await checkNamespace(registry, workspace)
      const job = await findJob(registry, id, { caller, role: "viewer" })
      if (job.namespace !== workspace) throw unfit(id, `belongs to workspace '${job.namespace}', not '${workspace}'`)
      if (job.result === null) throw unfit(id, "has no result yet")
      const entry = { job: id, at: new Date(now()).toISOString(), by: caller.name }
      const before = await documents.get(workspace, name).catch((error: unknown) => {
        if (error instanceof AssayError && error.code === "not_found") return undefined
        throw error
      })
      if (before === undefined) {
        if ((await listed(workspace)).length >= MAX_BASELINES) throw tooMany(workspace)
        return baselineOf(await documents.create(workspace, { name, data: { history: [entry] } }))
      }
      const history = [entry, ...before.data.history].slice(0, MAX_BASELINE_HISTORY)
      const { updated_at: unchangedSince } = before
      return baselineOf(await documents.update(workspace, name, { data: { history }, unchangedSince }))
    },
    async remove({ workspace, name }, { checkRole }) {
      checkRole(workspace, "editor")
      return baselineOf(await documents.remove(workspace, name))
    },
    async checkRemovable({ id, namespace }) {
      const found = (await listed(namespace)).find(({ data }) => data.history[0]?.job === id)
      if (found === undefined) return
      const message = `The job '${id}' is the baseline '${namespace}/${found.name}', which later jobs are compared with.`
      throw new AssayError("in_use", message, { context: { job: id, baseline: found.name } })
    },
  }
}

function baselineOf({ workspace, name, data, created_at, updated_at }: Document<BaselineData>): Baseline {
  const history = [...data.history]
  return { namespace: workspace, name, job: history[0]?.job ?? "", history, created_at, updated_at }
}

function unfit(job: string, why: string): AssayError {
  return invalidRequest(["body", "job"], `The job '${job}' ${why}, so it can't be a baseline of it`, "value_error")
}

function tooMany(workspace: string): AssayError {
  const message = `The workspace '${workspace}' has ${MAX_BASELINES} baselines already; delete one`
  return invalidRequest(["path", "name"], message, "value_error")
}

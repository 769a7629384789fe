import type { CreateModel, Filter, Model, ModelPage, ModelSort, UpdateModel } from "@assay/schemas"
import type { PageQuery, VisibleWorkspaces } from "@assay/database"
import type { AnalysisRun } from "./analysis-run.ts"

export interface ModelQuery extends PageQuery {
  readonly sort: ModelSort
  /** Undefined: all models. */
  readonly filter?: Filter | undefined
}

/** Models and their analyses. The caller runs an analysis, and reports its result to the `AnalysisRun`. */
export interface Models {
  /**
   * Makes a model and begins its analysis.
   * @throws `already_exists`; `not_found` if there is no such fileset
   */
  create(workspace: string, body: CreateModel & { readonly fileset: string }): Promise<AnalysisRun>
  /**
   * Makes a model without a fileset, which is only described.
   * @throws `already_exists`
   */
  describe(workspace: string, body: CreateModel): Promise<Model>
  /** Lists the models of a workspace, or without one those of all visible workspaces. */
  list(workspace: string | undefined, query: ModelQuery, visible: VisibleWorkspaces): Promise<ModelPage>
  get(workspace: string, name: string): Promise<Model>
  update(workspace: string, name: string, body: UpdateModel): Promise<Model>
  remove(workspace: string, name: string): Promise<Model>
  /** Begins another analysis. Undefined while one is running on any server. @throws `invalid_request` for a model without a fileset */
  startAnalysis(workspace: string, name: string): Promise<AnalysisRun | undefined>
}

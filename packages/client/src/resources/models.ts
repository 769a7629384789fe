import type {
  ChatRenderBody,
  ChatRendering,
  CreateModel,
  Model,
  ModelPage,
  ModelSort,
  UpdateModel,
} from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

export interface ModelListQuery {
  /** Default `-created_at`. */
  readonly sort?: ModelSort
  /** Such as `name~"llama"`. Default: all models. */
  readonly filter?: string
}

export interface AnalysisOptions extends CallOptions {
  /** Seconds that the server waits for the analysis before it returns `running`, from 0 to 300. Default 30. */
  readonly wait?: number
}

export interface Models {
  /** Creates a model and starts the analysis of its checkpoint. */
  create(workspace: string, body: CreateModel, options?: AnalysisOptions): Promise<Model>
  /** Returns one page. Default `page_size` 100, from 1 to 1000. */
  page(workspace: string, query?: ModelListQuery & PageQuery, options?: CallOptions): Promise<ModelPage>
  list(workspace: string, query?: ModelListQuery, options?: CallOptions): AsyncGenerator<Model, void, undefined>
  get(workspace: string, name: string, options?: CallOptions): Promise<Model>
  update(workspace: string, name: string, body: UpdateModel, options?: CallOptions): Promise<Model>
  /** Removes a model and returns its record. Its fileset is kept. */
  remove(workspace: string, name: string, options?: CallOptions): Promise<Model>
  /** Starts another analysis of the checkpoint, or waits for one that is running. */
  analyze(workspace: string, name: string, options?: AnalysisOptions): Promise<Model>
  /** Renders a conversation as the model gets it. @throws `not_found` if the model has no chat template */
  render(workspace: string, name: string, body: ChatRenderBody, options?: CallOptions): Promise<ChatRendering>
}

const LIST_PAGE_SIZE = 100

function path(workspace: string, ...below: readonly string[]): string {
  return `/apis/models/v2/workspaces${route(workspace, "models", ...below)}`
}

export function createModels(call: CallJson): Models {
  const page: Models["page"] = async (workspace, query = {}, { signal } = {}) =>
    call({ method: "GET", path: path(workspace), query: { ...query }, signal })
  return {
    page,
    // The caller decides how long the server waits, which may be longer than the usual time limit.
    create: async (workspace, json, { wait, signal } = {}) =>
      call({ method: "POST", path: path(workspace), query: { wait }, json, signal, patient: true }),
    analyze: async (workspace, name, { wait, signal } = {}) =>
      call({ method: "POST", path: path(workspace, name, "analyze"), query: { wait }, signal, patient: true }),
    list: (workspace, query, options) =>
      recordsOfPages(LIST_PAGE_SIZE, (part) => page(workspace, { ...query, ...part }, options)),
    get: async (workspace, name, { signal } = {}) => call({ method: "GET", path: path(workspace, name), signal }),
    render: async (workspace, name, json, { signal } = {}) =>
      call({ method: "POST", path: path(workspace, name, "render"), json, signal }),
    update: async (workspace, name, json, { signal } = {}) =>
      call({ method: "PATCH", path: path(workspace, name), json, signal }),
    remove: async (workspace, name, { signal } = {}) => call({ method: "DELETE", path: path(workspace, name), signal }),
  }
}

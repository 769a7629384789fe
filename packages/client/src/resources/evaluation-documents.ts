import type {
  DeletedEvaluationDocument,
  EvaluationConfig,
  EvaluationConfigBody,
  EvaluationConfigPage,
  EvaluationTarget,
  EvaluationTargetBody,
  EvaluationTargetPage,
  UpdateEvaluationConfig,
  UpdateEvaluationTarget,
} from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { listingQuery, type EvaluationListQuery } from "./evaluation-jobs.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

/** Stored targets or configurations, by namespace and name. */
export interface EvaluationDocuments<Body, Update, Item, Page> {
  /** Creates a document. Without a name it gets its id as its name. @throws `already_exists` */
  create(body: Body, options?: CallOptions): Promise<Item>
  /** Returns one page. Default `page_size` 10, from 1 to 1000. */
  page(query?: EvaluationListQuery & PageQuery, options?: CallOptions): Promise<Page>
  list(query?: EvaluationListQuery, options?: CallOptions): AsyncGenerator<Item, void, undefined>
  get(namespace: string, name: string, options?: CallOptions): Promise<Item>
  /** Replaces the whole value of each given key. Null removes it. */
  update(namespace: string, name: string, body: Update, options?: CallOptions): Promise<Item>
  remove(namespace: string, name: string, options?: CallOptions): Promise<DeletedEvaluationDocument>
}

export type EvaluationTargets = EvaluationDocuments<
  EvaluationTargetBody,
  UpdateEvaluationTarget,
  EvaluationTarget,
  EvaluationTargetPage
>
export type EvaluationConfigs = EvaluationDocuments<
  EvaluationConfigBody,
  UpdateEvaluationConfig,
  EvaluationConfig,
  EvaluationConfigPage
>

const LIST_PAGE_SIZE = 100

export function createEvaluationDocuments<Body, Update, Item, Page extends { readonly data: readonly Item[] }>(
  call: CallJson,
  kind: "targets" | "configs",
): EvaluationDocuments<Body, Update, Item, Page> {
  const path = (...below: readonly string[]) => `/v1/evaluation${route(kind, ...below)}`
  const page = async (query: EvaluationListQuery & PageQuery = {}, { signal }: CallOptions = {}): Promise<Page> =>
    call({ method: "GET", path: path(), query: listingQuery(query), signal })
  return {
    page,
    create: async (json, { signal } = {}) => call({ method: "POST", path: path(), json, signal }),
    list: (query, options) => recordsOfPages(LIST_PAGE_SIZE, (part) => page({ ...query, ...part }, options)),
    get: async (namespace, name, { signal } = {}) => call({ method: "GET", path: path(namespace, name), signal }),
    update: async (namespace, name, json, { signal } = {}) =>
      call({ method: "PATCH", path: path(namespace, name), json, signal }),
    remove: async (namespace, name, { signal } = {}) => call({ method: "DELETE", path: path(namespace, name), signal }),
  }
}

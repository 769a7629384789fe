import type { CreateProject, Project, ProjectPage, UpdateProject } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

export interface Projects {
  create(workspace: string, body: CreateProject, options?: CallOptions): Promise<Project>
  page(workspace: string, query?: PageQuery, options?: CallOptions): Promise<ProjectPage>
  list(workspace: string, options?: CallOptions): AsyncGenerator<Project, void, undefined>
  get(workspace: string, name: string, options?: CallOptions): Promise<Project>
  update(workspace: string, name: string, body: UpdateProject, options?: CallOptions): Promise<Project>
  /** Removes a project and returns its record. */
  remove(workspace: string, name: string, options?: CallOptions): Promise<Project>
}

function path(workspace: string, ...name: readonly string[]): string {
  return `/apis/entities/v2/workspaces${route(workspace, "projects", ...name)}`
}

export function createProjects(call: CallJson): Projects {
  const page: Projects["page"] = async (workspace, { page, page_size } = {}, { signal } = {}) =>
    call({ method: "GET", path: path(workspace), query: { page, page_size }, signal })
  return {
    page,
    create: async (workspace, json, { signal } = {}) => call({ method: "POST", path: path(workspace), json, signal }),
    list: (workspace, options) => recordsOfPages(100, (part) => page(workspace, part, options)),
    get: async (workspace, name, { signal } = {}) => call({ method: "GET", path: path(workspace, name), signal }),
    update: async (workspace, name, json, { signal } = {}) =>
      call({ method: "PUT", path: path(workspace, name), json, signal }),
    remove: async (workspace, name, { signal } = {}) => call({ method: "DELETE", path: path(workspace, name), signal }),
  }
}

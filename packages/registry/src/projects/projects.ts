import type { CreateProject, Project, ProjectPage, UpdateProject } from "@assay/schemas"
import type { FilteredQuery } from "@assay/database"

export interface Projects {
  create(workspace: string, body: CreateProject): Promise<Project>
  list(workspace: string, query: FilteredQuery): Promise<ProjectPage>
  get(workspace: string, name: string): Promise<Project>
  update(workspace: string, name: string, body: UpdateProject): Promise<Project>
  remove(workspace: string, name: string): Promise<Project>
}

import { type Static, Type } from "@sinclair/typebox"
import { Timestamp } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"
import { SameName } from "../requests/same-name.ts"

/** 2 to 63 characters, beginning with a letter, without `--`, and without `-` at the end. */
export const WORKSPACE_NAME_PATTERN = "^(?!.*--)(?!.*-$)[a-z][a-z0-9\\-@.+_]{1,62}$"

/** Workspaces that always exist and can't be deleted. */
export const BUILT_IN_WORKSPACES = ["default", "system"] as const

export const WorkspaceName = Type.String({ pattern: WORKSPACE_NAME_PATTERN, examples: ["default"] })

export const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Workspace" },
)
export type Workspace = Static<typeof Workspace>

export const CreateWorkspace = Type.Object(
  { name: WorkspaceName, description: Type.Optional(Type.String({ maxLength: 1000, default: "" })) },
  { $id: "CreateWorkspace", additionalProperties: false },
)
export type CreateWorkspace = Static<typeof CreateWorkspace>

export const UpdateWorkspace = Type.Object(
  { name: SameName, description: Type.String({ maxLength: 1000 }) },
  { $id: "UpdateWorkspace", additionalProperties: false },
)
export type UpdateWorkspace = Static<typeof UpdateWorkspace>

export const WorkspacePage = pageOf(Workspace, "WorkspacePage")
export type WorkspacePage = Static<typeof WorkspacePage>

export const Project = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    workspace: Type.String(),
    description: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Project" },
)
export type Project = Static<typeof Project>

export const CreateProject = Type.Object(
  {
    name: Type.String({ pattern: "^[A-Za-z0-9_.\\-]+$", minLength: 1, maxLength: 255 }),
    description: Type.Optional(Type.String({ maxLength: 1000, default: "" })),
  },
  { $id: "CreateProject", additionalProperties: false },
)
export type CreateProject = Static<typeof CreateProject>

export const UpdateProject = Type.Object(
  { name: SameName, description: Type.String({ maxLength: 1000 }) },
  { $id: "UpdateProject", additionalProperties: false },
)
export type UpdateProject = Static<typeof UpdateProject>

export const ProjectPage = pageOf(Project, "ProjectPage")
export type ProjectPage = Static<typeof ProjectPage>

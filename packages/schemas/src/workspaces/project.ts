import { Type, type Static } from "@sinclair/typebox"
import { Timestamp } from "../records/field-types.ts"
import { pageOf } from "../records/page.ts"

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
  { description: Type.String({ maxLength: 1000 }) },
  { $id: "UpdateProject", additionalProperties: false },
)
export type UpdateProject = Static<typeof UpdateProject>

export const ProjectPage = pageOf(Project, "ProjectPage")
export type ProjectPage = Static<typeof ProjectPage>

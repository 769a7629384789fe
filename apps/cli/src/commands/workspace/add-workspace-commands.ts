import type { Command } from "commander"
import type { Bind, JsonOption } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import type { CreateWorkspaceOptions } from "./create-workspace.ts"
import type { DeleteWorkspaceOptions } from "./delete-workspace.ts"

/** `workspace create|list|get|delete` */
export function addWorkspaceCommands(program: Command, bind: Bind): void {
  const workspace = addGroup(program, "workspace", {
    summary: "create, list, get, delete",
    description: "Workspaces: they hold filesets and secrets.",
    examples: ["assay workspace create research"],
  })
  addCommand(workspace, "create <name>", {
    summary: "create a workspace",
    details: "A name has 2 to 63 characters: a lower-case letter first, then letters, digits and - @ . + _",
    examples: ["assay workspace create research"],
  })
    .option("--description <text>", "up to 1000 characters")
    .action(
      bind(async (context, name: string, options: CreateWorkspaceOptions) => {
        const { createWorkspace } = await import("./create-workspace.ts")
        return createWorkspace(context, name, options)
      }),
    )
  addCommand(workspace, "list", {
    summary: "list the workspaces that you may see",
    examples: ["assay workspace list"],
  }).action(
    bind(async (context, options: JsonOption) => {
      const { listWorkspaces } = await import("./list-workspaces.ts")
      return listWorkspaces(context, options)
    }),
  )
  addCommand(workspace, "get <name>", {
    summary: "print one workspace",
    examples: ["assay workspace get research"],
  }).action(
    bind(async (context, name: string, options: JsonOption) => {
      const { getWorkspace } = await import("./get-workspace.ts")
      return getWorkspace(context, name, options)
    }),
  )
  addCommand(workspace, "delete <name>", {
    summary: "delete a workspace",
    details: "Refused while it holds filesets or secrets, unless --cascade is given. 'default' and 'system' stay.",
    examples: ["assay workspace delete research", "assay workspace delete research --cascade --yes"],
  })
    .option("--cascade", "delete its filesets and secrets too")
    .option("-y, --yes", "do not ask")
    .action(
      bind(async (context, name: string, options: DeleteWorkspaceOptions) => {
        const { deleteWorkspace } = await import("./delete-workspace.ts")
        return deleteWorkspace(context, name, options)
      }),
    )
}

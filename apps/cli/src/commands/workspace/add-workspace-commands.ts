import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

/** Declares `workspace create|list|get|delete`. */
export function addWorkspaceCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const workspace = addGroup(program, "workspace", {
    summary: "create, list, get, delete",
    description: "Workspaces: they contain filesets and secrets.",
    examples: ["assay workspace create research"],
  })
  if (!isNamed("workspace")) return
  addCommand(workspace, "create <name>", {
    summary: "create a workspace",
    details: "A name has 2 to 63 characters: first a lower-case letter, then letters, digits and - @ . + _",
    examples: ["assay workspace create research"],
  })
    .option("--description <text>", "at most 1000 characters")
    .action(bind(async () => (await import("./manage-workspaces.ts")).createWorkspace))
  addCommand(workspace, "list", {
    summary: "list the workspaces that you may see",
    examples: ["assay workspace list"],
  }).action(bind(async () => (await import("./manage-workspaces.ts")).listWorkspaces))
  addCommand(workspace, "get <name>", {
    summary: "print one workspace",
    examples: ["assay workspace get research"],
  }).action(bind(async () => (await import("./manage-workspaces.ts")).getWorkspace))
  addCommand(workspace, "delete <name>", {
    summary: "delete a workspace",
    details:
      "The server refuses if the workspace contains filesets or secrets, unless --cascade is given. 'default' and 'system' can't be deleted.",
    examples: ["assay workspace delete research", "assay workspace delete research --cascade --yes"],
  })
    .option("--cascade", "delete its filesets and secrets, too")
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-workspaces.ts")).deleteWorkspace))
}

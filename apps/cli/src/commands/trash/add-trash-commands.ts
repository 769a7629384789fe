import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

const NAMES =
  "If several filesets have the name, it is the one that was deleted last; `trash list --json` has their ids, which may be given instead."

/** Declares `trash list|restore|delete|empty`. */
export function addTrashCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const trash = addGroup(program, "trash", {
    summary: "list, restore, delete, empty",
    description:
      "Deleted filesets and evaluation jobs, which can be restored for ASSAY_TRASH_HOURS of the server (24).",
    examples: ["assay trash list", "assay trash restore default/reviews"],
  })
  if (!isNamed("trash")) return
  addCommand(trash, "list", {
    summary: "list deleted filesets and jobs that can be restored, the last first",
    examples: ["assay trash list", "assay trash list --workspace - --json"],
  })
    .option("-w, --workspace <name>", "only this workspace; - for all that you may see")
    .action(bind(async () => (await import("./manage-trash.ts")).listTrash))
  addCommand(trash, "restore <fileset-or-job> [name]", {
    summary:
      "restore a deleted fileset with its files, under its name or another one, or a deleted job with its results",
    details: `It keeps its id, and a fileset its history. ${NAMES}`,
    examples: [
      "assay trash restore default/reviews",
      "assay trash restore reviews reviews-old",
      "assay trash restore eval-3QJmnh8Y1kGqvS4cQKFJ2b",
    ],
  }).action(bind(async () => (await import("./manage-trash.ts")).restoreFromTrash))
  addCommand(trash, "delete <fileset-or-job>", {
    summary: "delete a fileset or a job in the trash for good",
    details: NAMES,
    examples: ["assay trash delete default/reviews --yes"],
  })
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-trash.ts")).deleteFromTrash))
  addCommand(trash, "empty [workspace]", {
    summary: "delete all filesets and jobs in the trash of a workspace for good",
    details: "Without a name, the workspace is that of ASSAY_WORKSPACE, or 'default'.",
    examples: ["assay trash empty --yes"],
  })
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-trash.ts")).emptyTrash))
}

import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

const JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
const NAME = "NAME is in the workspace of ASSAY_WORKSPACE, or workspace/name."

/** Declares `baseline set|list|get|delete`. */
export function addBaselineCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const baseline = addGroup(program, "baseline", {
    summary: "set, list, get, delete",
    description: "Baselines: names for results of jobs on a server, which later runs are compared with.",
    examples: [`assay baseline set main ${JOB}`, "assay eval run eval.yaml --against main --margin 0.02"],
  })
  if (!isNamed("baseline")) return
  addCommand(baseline, "set <name> <job>", {
    summary: "create a baseline, or move it to another job",
    details: `${NAME} The history keeps the jobs before. A job that is a baseline can't be deleted.`,
    examples: [`assay baseline set main ${JOB}`],
  }).action(bind(async () => (await import("./manage-baselines.ts")).setBaseline))
  addCommand(baseline, "list", {
    summary: "list the baselines of a workspace",
    examples: ["assay baseline list", "assay baseline list --json"],
  }).action(bind(async () => (await import("./manage-baselines.ts")).listBaselines))
  addCommand(baseline, "get <name>", {
    summary: "print a baseline with its history",
    details: NAME,
    examples: ["assay baseline get main"],
  }).action(bind(async () => (await import("./manage-baselines.ts")).getBaseline))
  addCommand(baseline, "delete <name>", {
    summary: "delete a baseline; its job stays",
    details: NAME,
    examples: ["assay baseline delete main"],
  }).action(bind(async () => (await import("./manage-baselines.ts")).deleteBaseline))
}

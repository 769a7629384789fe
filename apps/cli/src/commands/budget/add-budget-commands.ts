import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"
import { parseAmount, parseInteger } from "../option-values.ts"

const WORKSPACE = "Without a name, the workspace is that of ASSAY_WORKSPACE, or 'default'."

/** Declares `budget set|get|delete`. */
export function addBudgetCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const budget = addGroup(program, "budget", {
    summary: "set, get, delete",
    description: "Budgets: what the jobs of a workspace may use in each calendar month (UTC).",
    examples: ["assay budget set research --max-requests 100000 --max-cost 200", "assay budget get research"],
  })
  if (!isNamed("budget")) return
  addCommand(budget, "set [workspace]", {
    summary: "limit what the jobs of a workspace use in a month",
    details: `The limits replace all earlier ones, and also hold for jobs that run. A job that reaches one keeps what it has and ends; launches are refused until the next month. ${WORKSPACE}`,
    examples: [
      "assay budget set research --max-requests 100000",
      "assay budget set research --max-tokens 50000000 --max-cost 200",
    ],
  })
    .option("--max-requests <n>", "requests to models: targets and judges, retries included", parseInteger(1))
    .option("--max-tokens <n>", "tokens of prompts and answers together", parseInteger(1))
    .option("--max-cost <amount>", "in the currency of the server's price table", parseAmount)
    .action(bind(async () => (await import("./manage-budgets.ts")).setBudget))
  addCommand(budget, "get [workspace]", {
    summary: "print the limits of a workspace and what its jobs have used in this month",
    details: WORKSPACE,
    examples: ["assay budget get research", "assay budget get research --json"],
  }).action(bind(async () => (await import("./manage-budgets.ts")).getBudget))
  addCommand(budget, "delete [workspace]", {
    summary: "remove the limits of a workspace",
    details: `The record of what its jobs have used stays. ${WORKSPACE}`,
    examples: ["assay budget delete research"],
  }).action(bind(async () => (await import("./manage-budgets.ts")).deleteBudget))
}

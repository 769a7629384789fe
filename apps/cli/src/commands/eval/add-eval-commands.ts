import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addGroup } from "../add-command.ts"
import { addEvalJobCommands } from "./add-eval-job-commands.ts"
import { addEvalResultCommands } from "./add-eval-result-commands.ts"
import { addEvalRunCommands } from "./add-eval-run-commands.ts"

/** `eval run|launch|list|status|watch|logs|results|download|explain|compare|cancel|resume|retry-failed|delete` */
export function addEvalCommands(program: Command, bind: Bind): void {
  const evaluation = addGroup(program, "eval", {
    summary: "run, launch, list, status, watch, logs, results, download, explain, compare, …",
    description:
      "Evaluations: score a model or its outputs row by row, with intervals and the conditions that were found.",
    examples: ["assay eval run examples/evaluation/capitals.yaml", "assay eval list --status RUNNING"],
  })
  addEvalRunCommands(evaluation, bind)
  addEvalJobCommands(evaluation, bind)
  addEvalResultCommands(evaluation, bind)
}

import { Argument, type Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"

/** Declares `schema evaluation|policy|arena`. */
export function addSchemaCommand(program: Command, bind: Bind): void {
  addCommand(program, "schema", {
    summary: "print the JSON Schema of a file, with which editors complete and check it",
    server: false,
    details:
      "An editor with the YAML language server reads it if the first line of an evaluation file is `# yaml-language-server: $schema=./evaluation.schema.json`. `policy` is the file of `release check`, and `arena` that of `eval arena`.",
    json: "print errors as JSON; the schema is JSON",
    examples: [
      "assay schema evaluation > evaluation.schema.json",
      "assay schema policy > policy.schema.json",
      "assay schema arena > arena.schema.json",
    ],
  })
    .addArgument(new Argument("<file>", "the kind of file").choices(["evaluation", "policy", "arena"]))
    .action(bind(async () => (await import("./print-schema.ts")).printSchema))
}

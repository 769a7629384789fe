import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"

/** Declares `docs`. */
export function addDocsCommand(program: Command, bind: Bind): void {
  addCommand(program, "docs [word]", {
    summary: "print the page of the documentation that a word names",
    details:
      "The word is the name of a page, a word of its title or of a heading such as a metric or a code of an error, or any other word. Without a word, the pages are listed. The pages are part of this program and are printed here: no browser is opened, and no server and no network is needed.",
    server: false,
    examples: ["assay docs", "assay docs gates", "assay docs llm-judge", "assay docs server_unreachable"],
  }).action(bind(async () => (await import("./print-docs.ts")).printDocs))
}

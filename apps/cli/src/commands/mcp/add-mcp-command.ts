import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"

/** Declares `mcp`. */
export function addMcpCommand(program: Command, bind: Bind): void {
  addCommand(program, "mcp", {
    summary: "give an assistant the tools of a server, over stdin and stdout",
    details:
      "Speaks the Model Context Protocol. An assistant starts this command, and ends it by closing stdin. Its tools read filesets and rows, launch evaluations, explain failures, compare jobs and check messages, with the rights of ASSAY_TOKEN. `assay docs agents` shows how to configure Claude Code, Cursor and VS Code.",
    examples: ["assay mcp", "assay mcp --server http://127.0.0.1:8080"],
  }).action(bind(async () => (await import("./serve-tools.ts")).serveTools))
}

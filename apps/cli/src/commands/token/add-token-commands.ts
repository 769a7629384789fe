import { Option, type Command } from "commander"
import type { Role } from "@assay/server"
import type { Bind } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

const ROLES = ["viewer", "editor", "admin"] as const satisfies readonly Role[]

/** `token create|list|revoke`: on the token file of the server's settings, on the machine that the server runs on. */
export function addTokenCommands(program: Command, bind: Bind): void {
  const token = addGroup(program, "token", {
    summary: "create, list, revoke",
    description: "Tokens of this machine's server. A running server sees changes at once.",
    examples: ["assay token create laptop --role admin --workspace '*'"],
  })
  addCommand(token, "create <name>", {
    summary: "make a token and print it, this once",
    details:
      "viewer reads; editor also writes, launches and uses secrets by reference; admin also manages secrets, workspaces and " +
      "configurations. Only a digest of the token is kept.",
    examples: [
      "assay token create laptop --role admin --workspace '*'",
      "assay token create ci --role editor --workspace research --expires 90d",
    ],
  })
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .requiredOption("-w, --workspace <name...>", "where: names of workspaces, or * for all")
    .option("--expires <span>", "how long it is good for, such as 90d, 12h or 30m; for ever when absent")
    .action(bind(async () => (await import("./create-token.ts")).createToken))
  addCommand(token, "list", { summary: "list what is known of the tokens", examples: ["assay token list"] }).action(
    bind(async () => (await import("./list-tokens.ts")).listTokens),
  )
  addCommand(token, "revoke <id>", {
    summary: "make a token worthless",
    examples: ["assay token revoke token-3QJmnh8Y1kGqvS4cQKFJ2b"],
  }).action(bind(async () => (await import("./revoke-token.ts")).revokeToken))
}

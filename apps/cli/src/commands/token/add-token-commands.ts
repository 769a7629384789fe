import type { Role } from "@assay/server"
import { Option, type Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

const ROLES = ["viewer", "editor", "admin"] as const satisfies readonly Role[]

/** `token create|list|revoke`: works on the token file that the settings here name, on the machine of the server. */
export function addTokenCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const token = addGroup(program, "token", {
    summary: "create, list, revoke",
    description: "Tokens of the server on this machine. A running server sees changes at once.",
    examples: ["assay token create laptop --role admin --workspace '*'"],
  })
  if (!isNamed("token")) return
  addCommand(token, "create <name>", {
    summary: "create a token and print it once",
    details:
      "A viewer reads. An editor also writes, launches jobs and uses secrets by reference. An admin also manages secrets, workspaces and " +
      "configurations. Only a digest of the token is stored.",
    examples: [
      "assay token create laptop --role admin --workspace '*'",
      "assay token create ci --role editor --workspace research --expires 90d",
    ],
  })
    .addOption(new Option("--role <role>", "what the token permits").choices(ROLES).makeOptionMandatory())
    .requiredOption("-w, --workspace <name...>", "names of workspaces, or * for all")
    .option("--expires <duration>", "validity, such as 90d, 12h or 30m; default: no expiry")
    .action(bind(async () => (await import("./manage-tokens.ts")).createToken))
  addCommand(token, "list", {
    summary: "list the tokens, without their values",
    examples: ["assay token list"],
  }).action(bind(async () => (await import("./manage-tokens.ts")).listTokens))
  addCommand(token, "revoke <id>", {
    summary: "revoke a token",
    examples: ["assay token revoke token-3QJmnh8Y1kGqvS4cQKFJ2b"],
  }).action(bind(async () => (await import("./manage-tokens.ts")).revokeToken))
}

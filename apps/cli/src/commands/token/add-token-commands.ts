import type { Role } from "@assay/schemas"
import { Option, type Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

const SERVER = "this server, which ASSAY_TOKEN lets in as an admin"
const ROLES = ["viewer", "editor", "admin"] as const satisfies readonly Role[]

/** Declares `token create|list|revoke`: on the token file that the settings here name, or on a server with `--server`. */
export function addTokenCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const token = addGroup(program, "token", {
    summary: "create, list, revoke",
    description:
      "Tokens of the server on this machine, whose settings are in this folder, or of the server that --server names, for its admins. A " +
      "running server sees changes at once.",
    examples: ["assay token create laptop --role admin --workspace '*'"],
  })
  if (!isNamed("token")) return
  addCommand(token, "create <name>", {
    summary: "create a token and print it once",
    server: SERVER,
    details:
      "A viewer reads. An editor also writes, launches jobs and uses secrets by reference. An admin also manages secrets, workspaces and " +
      "configurations. Only a digest of the token is stored. With --s3, also prints an access key and its secret, with the rights of the token, for " +
      "clients of S3: each fileset is the bucket workspace.fileset at the path /s3 of the server.",
    examples: [
      "assay token create laptop --role admin --workspace '*'",
      "assay token create ci --role editor --workspace research --expires 90d",
      "assay token create ci --role editor --workspace research --server https://assay.example",
      "assay token create rclone --role editor --workspace research --s3 --server https://assay.example",
    ],
  })
    .addOption(new Option("--role <role>", "what the token permits").choices(ROLES).makeOptionMandatory())
    .requiredOption("-w, --workspace <name...>", "names of workspaces, or * for all")
    .option("--s3", "also make an access key and a secret for clients of S3")
    .option("--expires <duration>", "validity, such as 90d, 12h or 30m; default: no expiry")
    .action(bind(async () => (await import("./manage-tokens.ts")).createToken))
  addCommand(token, "list", {
    summary: "list the tokens, without their values",
    server: SERVER,
    examples: ["assay token list", "assay token list --server https://assay.example"],
  }).action(bind(async () => (await import("./manage-tokens.ts")).listTokens))
  addCommand(token, "revoke <id>", {
    summary: "revoke a token",
    server: SERVER,
    examples: ["assay token revoke token-3QJmnh8Y1kGqvS4cQKFJ2b"],
  }).action(bind(async () => (await import("./manage-tokens.ts")).revokeToken))
}

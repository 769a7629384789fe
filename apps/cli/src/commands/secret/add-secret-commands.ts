import type { Command } from "commander"
import type { Bind, IsNamed } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

/** Declares `secret set|list|delete|discard-unreadable`. */
export function addSecretCommands(program: Command, bind: Bind, isNamed: IsNamed): void {
  const secret = addGroup(program, "secret", {
    summary: "set, list, delete, discard-unreadable",
    description: "Secrets: values such as keys for storage, which are never shown again.",
    examples: ["assay secret set hub-token < token.txt"],
  })
  if (!isNamed("secret")) return
  addCommand(secret, "set <name>", {
    summary: "create a secret, or change its value",
    details:
      "The value is read from stdin, or from the terminal without showing it. One line end at its end is removed. The value is never an " +
      "argument, because other users of the machine could see it. A name can include its workspace: shared/hub-token.",
    examples: ["assay secret set hub-token", "assay secret set hub-token < token.txt"],
  })
    .option("--description <text>", "at most 1000 characters")
    .action(bind(async () => (await import("./manage-secrets.ts")).setSecret))
  addCommand(secret, "list", {
    summary: "list secrets without their values",
    examples: ["assay secret list", "assay secret list --workspace shared"],
  })
    .option("-w, --workspace <name>", "workspace")
    .action(bind(async () => (await import("./manage-secrets.ts")).listSecrets))
  addCommand(secret, "delete <name>", {
    summary: "delete a secret",
    details:
      "The server refuses if a fileset, a configuration or a job that has not ended names the secret, unless --force is given.",
    examples: ["assay secret delete hub-token", "assay secret delete hub-token --force --yes"],
  })
    .option("-y, --yes", "delete without asking")
    .option("--force", "delete the secret even if something names it")
    .action(bind(async () => (await import("./manage-secrets.ts")).deleteSecret))
  addCommand(secret, "discard-unreadable", {
    server: false,
    summary: "delete the secrets whose encryption key is lost",
    details:
      "Works on the data folder and the database that the settings here name. The server must be stopped. If you can, put the lost key back " +
      "instead: deleted secrets must be set again.",
    examples: ["assay secret discard-unreadable --dry-run", "assay secret discard-unreadable --yes"],
  })
    .option("--dry-run", "list them, and delete nothing")
    .option("-y, --yes", "delete without asking")
    .action(bind(async () => (await import("./manage-secrets.ts")).discardUnreadableSecrets))
}

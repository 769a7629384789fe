import type { Command } from "commander"
import type { Bind, JsonOption } from "../action.ts"
import { addCommand, addGroup } from "../add-command.ts"

/** Options of the listing of secrets. */
export interface ListSecretsOptions extends JsonOption {
  readonly workspace?: string
}

/** `secret set|list|delete|discard-unreadable` */
export function addSecretCommands(program: Command, bind: Bind): void {
  const secret = addGroup(program, "secret", {
    summary: "set, list, delete, discard-unreadable",
    description: "Secrets: values that storage is opened with, never shown again.",
    examples: ["assay secret set hub-token < token.txt"],
  })
  addCommand(secret, "set <name>", {
    summary: "make a secret, or give it another value",
    details:
      "The value is read from stdin, or asked for without showing it; one line end at its end does not count. It is never an " +
      "argument, which others could see. A name may carry its workspace: shared/hub-token.",
    examples: ["assay secret set hub-token", "assay secret set hub-token < token.txt"],
  })
    .option("--description <text>", "up to 1000 characters")
    .action(bind(async () => (await import("./set-secret.ts")).setSecret))
  addCommand(secret, "list", {
    summary: "list secrets, without their values",
    examples: ["assay secret list", "assay secret list --workspace shared"],
  })
    .option("-w, --workspace <name>", "workspace")
    .action(bind(async () => (await import("./list-secrets.ts")).listSecrets))
  addCommand(secret, "delete <name>", {
    summary: "delete a secret",
    details: "Refused while a fileset, a configuration or a job that has not ended names it, unless --force is given.",
    examples: ["assay secret delete hub-token", "assay secret delete hub-token --force --yes"],
  })
    .option("-y, --yes", "do not ask")
    .option("--force", "delete it whatever names it")
    .action(bind(async () => (await import("./delete-secret.ts")).deleteSecret))
  addCommand(secret, "discard-unreadable", {
    summary: "delete the secrets whose encryption key is lost",
    details:
      "Works on the data folder and the database that the settings here name, while the server is stopped. Put a lost key back " +
      "instead where you can: what is deleted has to be set again.",
    examples: ["assay secret discard-unreadable --dry-run", "assay secret discard-unreadable --yes"],
  })
    .option("--dry-run", "say which, and delete nothing")
    .option("-y, --yes", "do not ask")
    .action(bind(async () => (await import("./discard-unreadable-secrets.ts")).discardUnreadableSecrets))
}

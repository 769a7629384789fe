import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { parseInteger } from "../parse-integer.ts"
import { addBackupCommands } from "./add-backup-commands.ts"

const MAX_PORT = 65_535

/** `serve`, `config`, `doctor`, `backup`, `restore` */
export function addServerCommands(program: Command, bind: Bind): void {
  addCommand(program, "serve", {
    summary: "run a server here",
    details:
      "Settings come from the environment, a .env file and assay.config.json; the options below beat them. Ctrl-C lets " +
      "requests in flight finish.",
    json: "print address and data folder as JSON",
    examples: ["assay serve", "assay serve --port 9000 --data-dir /srv/assay"],
  })
    .option("--host <address>", "address to listen on (HOST)")
    .option("--port <number>", "port, 0 for a free one (PORT)", parseInteger(0, MAX_PORT))
    .option("--data-dir <folder>", "folder for database, files and keys (ASSAY_DATA_DIR)")
    .action(bind(async () => (await import("./serve.ts")).serve))
  addCommand(program, "config", {
    summary: "print the server settings in force, secrets masked",
    examples: ["assay config", "assay config --json"],
  }).action(bind(async () => (await import("./config.ts")).config))
  addCommand(program, "doctor", {
    summary:
      "check machine, settings, server, database, storage, the backend of each fileset and each inference endpoint",
    details:
      "Asks the server at ASSAY_URL, opens every fileset that the token may see where its bytes live, and has the server ask the " +
      "endpoint of each stored target and guardrail for a token or two. Where no server " +
      "answers on this machine, it looks at database and storage itself. With --deep it looks at the data folder alone, beside a " +
      "running server: the database, that every file on record is there, and the digest of every file.",
    examples: ["assay doctor", "assay doctor --deep", "assay doctor --deep --data-dir /srv/restored --json"],
  })
    .option("--deep", "read the database and every file, and compare digests; exit code 1 on damage")
    .option("--data-dir <folder>", "folder for database, files and keys (ASSAY_DATA_DIR)")
    .action(bind(async () => (await import("./doctor.ts")).doctor))
  addBackupCommands(program, bind)
}

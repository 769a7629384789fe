import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"

/** `backup`, `restore` */
export function addBackupCommands(program: Command, bind: Bind): void {
  addCommand(program, "backup <file>", {
    summary: "write database, files and tokens of the server here to an archive",
    details:
      "Works while the server runs. The archive is a tar, compressed where its name ends in .gz or .zst; - writes it to stdout. " +
      "Exit code 1: damage was found; 2: a part has to be backed up elsewhere, as the output says.",
    examples: ["assay backup /backups/assay.tar.zst", "assay backup - | ssh host 'cat > assay.tar'"],
  })
    .option("--with-keys", "include the encryption keys, which open every secret in it")
    .option("--data-dir <folder>", "folder for database, files and keys (ASSAY_DATA_DIR)")
    .option("--force", "replace the file")
    .action(bind(async () => (await import("./backup.ts")).backup))
  addCommand(program, "restore <file>", {
    summary: "unpack a backup into a data folder",
    details:
      "The folder must be empty and used by no server. Every digest is checked before anything gets its place. - reads stdin.",
    examples: ["assay restore assay.tar.zst", "assay restore assay.tar.zst --data-dir /srv/check"],
  })
    .option("--data-dir <folder>", "folder for database, files and keys (ASSAY_DATA_DIR)")
    .option("--force", "keep what is in the folder beside the restored data, under before-restore-…")
    .action(bind(async () => (await import("./restore.ts")).restore))
}

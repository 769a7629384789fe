import type { Command } from "commander"
import type { Bind } from "../action.ts"
import { addCommand } from "../add-command.ts"
import { parseInteger } from "../option-values.ts"

const MAX_PORT = 65_535
const DATA_DIR = ["--data-dir <folder>", "folder for database, files and keys (ASSAY_DATA_DIR)"] as const

/** Declares `serve`, `fake-endpoint`, `worker`, `migrate`, `config`, `doctor`, `audit`, `backup` and `restore`. */
export function addServerCommands(program: Command, bind: Bind): void {
  addServe(program, bind)
  addFakeEndpoint(program, bind)
  addWorker(program, bind)
  addMigrate(program, bind)
  addConfig(program, bind)
  addDoctor(program, bind)
  addAudit(program, bind)
  addBackup(program, bind)
  addRestore(program, bind)
}

function addServe(program: Command, bind: Bind): void {
  addCommand(program, "serve", {
    server: false,
    summary: "run a server here",
    details:
      "Settings come from the environment, a .env file and assay.config.json. The options below take precedence. After Ctrl-C, " +
      "requests in progress are finished.",
    json: "print address and data folder as JSON",
    examples: ["assay serve", "assay serve --port 9000 --data-dir /srv/assay"],
  })
    .option("--host <address>", "address to listen on (HOST)")
    .option("--port <number>", "port, or 0 for any free port (PORT)", parseInteger(0, MAX_PORT))
    .option(...DATA_DIR)
    .action(bind(async () => (await import("./serve.ts")).serve))
}

function addFakeEndpoint(program: Command, bind: Bind): void {
  addCommand(program, "fake-endpoint", {
    summary: "serve completions without a model, for trying things out",
    server: false,
    details:
      "Speaks OpenAI's protocol at http://127.0.0.1:9000/v1. Its models answer in fixed ways: echo repeats the message, judges and guard models look " +
      "for words. With --script it also plays agents and users from a file. Without --port it uses 9000. Runs until Ctrl-C.",
    examples: [
      "assay fake-endpoint",
      "assay fake-endpoint --port 0 --latency 200",
      "assay fake-endpoint --script examples/agents/support/script.json",
    ],
  })
    .option("--port <number>", "port, or 0 for any free port", parseInteger(0, MAX_PORT))
    .option("--key <text>", "the bearer token that requests need")
    .option("--latency <ms>", "milliseconds before each answer", parseInteger(0, 60_000))
    .option("--script <file>", "models that answer by rules: a JSON file")
    .action(bind(async () => (await import("./fake-endpoint.ts")).fakeEndpoint))
}

function addWorker(program: Command, bind: Bind): void {
  addCommand(program, "worker", {
    server: false,
    summary: "run evaluation jobs of servers that share a database",
    details:
      "The same as `assay serve` with ASSAY_ROLES=worker: it takes jobs from the queue of DATABASE_URL, and serves only /health and " +
      "/metrics. Needs the settings of the servers. After Ctrl-C, its jobs continue on another worker.",
    json: "print address and data folder as JSON",
    examples: ["DATABASE_URL=postgres://db/assay assay worker", "assay worker --port 9101"],
  })
    .option("--host <address>", "address of health and metrics (HOST)")
    .option("--port <number>", "port, or 0 for any free port (PORT)", parseInteger(0, MAX_PORT))
    .option(...DATA_DIR)
    .action(bind(async () => (await import("./serve.ts")).worker))
}

function addMigrate(program: Command, bind: Bind): void {
  addCommand(program, "migrate", {
    server: false,
    summary: "migrate the database of the server here to the newest schema",
    details:
      "Servers do this when they start, unless ASSAY_MIGRATE=false. Servers of the version before may keep running on a shared database. " +
      "An embedded database must not be in use. Exit code 1: --check found that migrations are missing.",
    examples: ["assay migrate", "assay migrate --check"],
  })
    .option("--check", "print the missing migrations, and change nothing")
    .option(...DATA_DIR)
    .action(bind(async () => (await import("./migrate.ts")).migrate))
}

function addConfig(program: Command, bind: Bind): void {
  addCommand(program, "config", {
    server: false,
    summary: "print the server settings in force, with secrets masked",
    examples: ["assay config", "assay config --json"],
  }).action(bind(async () => (await import("./config.ts")).config))
}

function addDoctor(program: Command, bind: Bind): void {
  addCommand(program, "doctor", {
    summary:
      "check machine, settings, server, database, storage, the backend of each fileset and each inference endpoint",
    details:
      "Asks the server at ASSAY_URL, opens the storage of every fileset that the token may see, and makes the server ask the " +
      "endpoint of each stored target and guardrail for one or two tokens. If no server " +
      "answers on this machine, it checks database and storage itself. With --deep it checks only the data folder, which a server may be " +
      "using: the database, that every file on record exists, and the digest of every file.",
    examples: ["assay doctor", "assay doctor --deep", "assay doctor --deep --data-dir /srv/restored --json"],
  })
    .option("--deep", "read the database and every file, and compare digests; exit code 1 if something is damaged")
    .option(...DATA_DIR)
    .action(bind(async () => (await import("./doctor.ts")).doctor))
}

function addBackup(program: Command, bind: Bind): void {
  addCommand(program, "backup <file>", {
    server: false,
    summary: "write database, files and tokens of the server here to an archive",
    details:
      "Works while the server runs. The archive is a tar file, compressed if its name ends in .gz or .zst. The FILE - means stdout. " +
      "Exit code 1: damage was found. Exit code 2: a part must be backed up separately, as the output says.",
    examples: ["assay backup /backups/assay.tar.zst", "assay backup - | ssh host 'cat > assay.tar'"],
  })
    .option("--with-keys", "include the encryption keys, which can decrypt every secret in the backup")
    .option(...DATA_DIR)
    .option("--force", "replace the file")
    .action(bind(async () => (await import("./backup.ts")).backup))
}

function addRestore(program: Command, bind: Bind): void {
  addCommand(program, "restore <file>", {
    server: false,
    summary: "unpack a backup into a data folder",
    details:
      "The folder must be empty, and no server may use it. Every digest is checked before any data is put in place. The FILE - means stdin.",
    examples: ["assay restore assay.tar.zst", "assay restore assay.tar.zst --data-dir /srv/check"],
  })
    .option(...DATA_DIR)
    .option("--force", "move the present content of the folder to before-restore-… next to the restored data")
    .action(bind(async () => (await import("./restore.ts")).restore))
}

function addAudit(program: Command, bind: Bind): void {
  addCommand(program, "audit", {
    summary: "list who changed what on the server, newest first",
    details:
      "For admins. Each write over HTTP leaves a record: when, who, from which address, what, and with which status, without values. Files that " +
      "a caller writes to a fileset are counted together. An admin of some workspaces sees the records of these.",
    examples: [
      "assay audit",
      "assay audit --workspace research --action deleteFileset --since 2026-11-01 --json",
      "assay audit --since 2026-11-01 --jsonl",
    ],
  })
    .option("-w, --workspace <name>", "only this workspace")
    .option("--token <id>", "only writes with this token")
    .option("--subject <sub>", "only writes of this person of the identity provider")
    .option("--action <name>", "only this operation of the API description, such as deleteFileset")
    .option("--status <number>", "only this status, such as 403", parseInteger(100, 599))
    .option("--name <text>", "only subjects whose name contains this text")
    .option("--since <time>", "not before this time, such as 2026-11-20")
    .option("--until <time>", "not after this time")
    .option("--limit <n>", "maximum number of records; default: 50, and all with --jsonl", parseInteger(1))
    .option("--jsonl", "export all records as JSON lines, with one record in each")
    .action(bind(async () => (await import("./print-audit.ts")).printAudit))
}

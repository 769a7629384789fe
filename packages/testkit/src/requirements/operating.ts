import { rules, type Requirement } from "./requirement.ts"

/** Starting, settings, access and commands. */
export const OPERATING: readonly Requirement[] = [
  ...rules("operating.md#evaluations-and-guardrails", {
    "cli.eval.run": "eval run works from a file with and without a server, with progress.",
    "cli.eval.gates": "Gates end with exit code 1 and write JUnit.",
    "cli.eval.summary":
      "--summary writes Markdown with the verdict, scores, changes, worst rows, conditions and cost; text from outside is escaped.",
    "webhooks.outbox":
      "The end of a job is noted in its transaction, survives restarts, and is sent by one server at a time.",
    "webhooks.signature": "Webhooks are signed by HMAC-SHA256 over id, timestamp and body, as Standard Webhooks says.",
    "webhooks.retries":
      "A webhook is sent again for a day, with back-off and the same id, unless the receiver is gone.",
    "webhooks.body":
      "The body is the event, a text for Slack, or what a template makes; a wrong template is refused at the start.",
    "webhooks.hosts":
      "A webhook goes to no private address that is not listed, follows no redirect, and reads no answer.",
    "cli.ci.script":
      "The script for CI exits as the gates say, takes every value from variables, masks secrets, and continues an interrupted run.",
    "cli.ci.hook": "A hook checks evaluation files before a commit.",
    "cli.eval.jobs": "launch, list, status, watch, logs, results, download, explain, compare, cancel and resume work.",
    "cli.eval.examples": "Examples run against a server that everyone can start.",
    "cli.guard.check": "guard check reads an argument, a file or stdin lines and prints one JSON verdict per line.",
    "cli.guard.exit-codes":
      "guard check ends with 0 or 1, calibrate with 0, 1 or 3, and both with 2 if the user can fix it.",
    "cli.keys.hosts":
      "A key of this machine goes only to this machine and to hosts named on the command line or in ASSAY_KEY_HOSTS, and only from variables of keys.",
    "cli.guard.key": "The key comes from ASSAY_INFERENCE_API_KEY or the variable named.",
    "cli.guard.vendor-files":
      "guard check accepts the config.yml and prompts.yml of NeMo Guardrails, and says what has no effect.",
    "cli.guard.calibrate": "guard calibrate compares configurations and writes its reports.",
    "cli.guard.self-check-script": "A ready script checks a prompt file in CI.",
  }),
  ...rules("operating.md#access", {
    "auth.token-create": "`token create` makes a token with a role, a workspace or `*`, and an optional expiry.",
    "auth.token-printed-once": "A token is printed once, when it is made.",
    "auth.token-hashed": "The tokens file keeps SHA-256 only, never a token.",
    "auth.tokens-file":
      "The tokens file is in the data folder by default, 0600, with id, name, sha256, grants and expires_at.",
    "auth.token-list": "`token list` shows the tokens without their values.",
    "auth.token-revoke": "`token revoke` ends a token.",
    "auth.token-expires": "An expired token is refused.",
    "auth.tokens-over-http":
      "Admins create, list and revoke tokens over HTTP; without auth the answer says how to turn it on.",
    "auth.tokens-own-rights":
      "A token that is created over HTTP gives no right, and lives no longer, than that of its creator.",
    "auth.tokens-last-admin": "The last valid token of an admin of all workspaces can't be revoked over HTTP.",
    "audit.list": "Admins list who changed what, newest first, with filters, in the workspaces where they are admins.",
    "audit.writes":
      "Each write of an identified caller leaves a record without values and bodies, also if it was refused.",
    "audit.failures":
      "Beyond 100 an hour, the refused writes of a caller are counted in at most 50 records, and no write that succeeded with them.",
    "audit.files":
      "Files that a caller writes to a fileset within an hour are counted in one record with its first and last time; so are deleted files beyond 100.",
    "audit.people": "A record has the subject and the name of a person, the address of the client and the door.",
    "audit.export": "The audit is exported as JSON lines, with the rights and filters of the list.",
    "audit.bounded": "A page of the audit reads a bounded number of records, whatever its filter.",
    "changes.followed":
      "`GET /v1/changes` sends what changes as server-sent events, at least one every 2 seconds, and continues after the event of `Last-Event-ID`.",
    "changes.rights":
      "Changes are those of the caller's workspaces, with names of filesets and jobs only, until the token is revoked.",
    "changes.bounded": "A caller has at most 100 streams of changes, so that it can't take the 2,000 of a server.",
    "changes.shared": "The changes through all servers of a database are followed at each of them.",
    "audit.kept": "Records of writes are stored when the server stops, and removed after ASSAY_AUDIT_DAYS.",
    "oidc.claims":
      "Rules give rights by claims: a text, a list or a path, own properties alone, and an e-mail address only if the provider checked it.",
    "oidc.verified":
      "A token needs the signature, issuer and audience, a time that has not ended, and the kind of an access or ID token that this server's client asked for.",
    "oidc.keys":
      "A new key of the provider is accepted at once, and unknown keys make the keys be loaded at most every 10 seconds.",
    "oidc.rights": "Claims give on every route what a token with the same role gives.",
    "oidc.away":
      "While the provider is away, the server starts and is ready, tokens of the server stay valid, and others get 503 with the reason.",
    "oidc.settings": "Wrong settings of the identity provider stop the start with a message for each.",
    "oidc.sign-in":
      "A browser signs in by authorization code with PKCE, state and nonce; its session lasts no longer than the ID token.",
    "oidc.sign-in-once": "A sign-in ends once, in the browser that began it, with its own state and code.",
    "oidc.return": "After a sign-in the browser gets the page that it wanted, of this server alone.",
    "auth.changes-at-once": "The running server sees changes of the tokens file at once.",
    "auth.bearer": "A token is sent as `Authorization: Bearer …`; no token or a bad one is a 401.",
    "auth.viewer": "A viewer reads records and files, and writes nothing.",
    "auth.editor": "An editor also writes records and files, and manages no secrets or workspaces.",
    "auth.admin": "An admin also manages secrets and workspaces.",
    "auth.hidden": "A request for something that the caller may not see is a 404.",
    "auth.forbidden": "An operation that the caller may see but not do is a 403.",
    "auth.listing": "A listing over workspaces shows only those that the caller may see.",
    "auth.rate-limit":
      "After 10 failed tokens a minute an address gets 429 for further ones; a valid token always passes.",
    "auth.writes-logged": "Every write is logged with the token's id.",
    "auth.cross-workspace-secrets": "A reference to a secret of another workspace needs the right there too.",
    "auth.cross-workspace-filesets": "A reference to a fileset of another workspace needs the right there too.",
    "auth.cross-site":
      "A write with a foreign Origin or Sec-Fetch-Site is a 403 unless a bearer token names the caller; without both headers it passes.",
    "auth.cors": "CORS headers are sent only to the origins of ASSAY_ALLOWED_ORIGINS.",
    "auth.trust-proxy": "The client's address comes from X-Forwarded-For only if ASSAY_TRUST_PROXY lists the peer.",
    "auth.health-open": "/health needs no token.",
    "auth.metrics": "/metrics needs viewer on `*`.",
  }),
  ...rules("operating.md#commands", {
    "cli.json": "`--json` is on everything that prints.",
    "cli.progress": "Progress with rate and time left is shown on a terminal, silence elsewhere.",
    "cli.help": "`--help` of each command has an example.",
    "cli.delete.confirm": "A command that deletes asks on a terminal, and needs `--yes` without one.",
    "cli.help.runs": "The examples of the help run as printed.",
    "cli.configurations":
      "Guardrail configurations, targets and evaluation configurations are created, listed, printed and deleted.",
    "cli.mv": "`mv` renames a file or moves it to another fileset, and deletes it only after its copy was checked.",
    "cli.ls.folders": "`ls` lists files that match globs, and the folders of a level with their sizes.",
    "cli.docs": "`docs` prints the page or the section of the documentation that a word names, without a network.",
    "cli.server": "Every command that can ask a server has --server, which takes precedence over ASSAY_URL.",
    "cli.renamed": "Old names of commands and options work for one version, with a warning on stderr.",
    "cli.quiet":
      "--quiet leaves only the result, errors and questions; --verbose adds requests and causes, without tokens.",
    "cli.local-first":
      "An argument that is spelled as a path of this machine, or names a file or folder that exists, is not asked of a server.",
    "cli.namesake": "If a local file has the name of an argument that must be a fileset, the error names it.",
    "cli.serve.port-in-use": "A port in use ends `serve` with exit code 2, the port and how to choose another.",
    "cli.token.place":
      "`token create` names the file and the server that it wrote for, and warns if there is no database.",
    "cli.audit": "`audit` lists who changed what on the server.",
    "cli.token.server": "`token` manages the tokens of the server that `--server` names.",
    "cli.unauthorized": "A 401 names `ASSAY_TOKEN`.",
    "cli.yaml": "Files and options of the command take YAML wherever they take JSON.",
    "launch.params": "Keys of `params` that have no effect are named at launch, with the key that was meant.",
    "cli.guard.check-people": "`guard check` prints for people on a terminal, and JSON with `--json` or into a pipe.",
    "cli.terminal.colour": "A terminal shows colours unless NO_COLOR is set.",
    "cli.terminal.width": "Tables fit the width of the terminal.",
    "cli.terminal.names":
      "In a narrow table, long names lose their middle, statuses are whole, and times are relative.",
    "cli.fileset.list.inputs":
      "`fileset list` leaves out the filesets of rows that jobs sent, unless it is asked for them.",
    "cli.fileset.rename": "`fileset rename` gives a fileset another name in its workspace.",
    "cli.completion": "There is shell completion.",
    "cli.map": "`assay` without arguments shows the map of commands.",
    "cli.stdin": "`-` reads stdin.",
    "cli.serve": "`serve` runs the server.",
    "cli.config": "`config` prints the settings in force, secrets masked.",
    "cli.output.controls":
      "Control characters of others, and controls of bidirectional text, are shown as `⟨U+202E⟩` wherever the command prints text.",
    "operating.deep-check":
      "`doctor --deep` checks the database, that the files on record are there, and every digest, beside a running server.",
    "operating.backup.online":
      "`backup` of a running server holds every file acknowledged before it began, whole, with its record.",
    "operating.backup.whole": "A backup is there whole or not at all; one that is cut short or changed is refused.",
    "operating.backup.keys": "A backup contains the encryption keys only if that is requested, and says so.",
    "operating.restore":
      "`restore` unpacks into an empty data folder that no server uses, checks every digest and refuses hostile archives.",
    "operating.one-id":
      "Default storage and database hold one id. A server does not start, or is not ready, if the ids differ or one is lost.",
    "operating.lost-database":
      "A server does not start on files whose database is lost, and is not ready, and refuses new records, if its database was deleted, replaced or cut short under it.",
    "cli.doctor": "`doctor` checks machine, database and storage.",
    "cli.workspace": "`workspace` has create, list, get and delete.",
    "cli.secret": "`secret` has set, list and delete.",
    "cli.secret-value": "A secret's value comes from stdin or a prompt, never from an argument.",
    "cli.fileset": "`fileset` has create, list, get, update and delete.",
    "cli.push": "`push FOLDER ws/name` sends a folder, or a file.",
    "cli.pull": "`pull ws/name FOLDER` fetches a fileset, or a file of it.",
    "cli.ls": "`ls` lists files, and filesets if none is named.",
    "cli.cat": "`cat` prints a file's bytes.",
    "cli.rm": "`rm` removes files.",
    "cli.transfer.parallel": "Files travel in parallel.",
    "cli.transfer.resumable": "An interrupted transfer continues where it stopped.",
    "cli.transfer.checksummed": "Bytes are checked against their digest in both directions.",
    "cli.transfer.only-changes": "Only what changed travels.",
    "cli.transfer.one-file":
      "`push`, `pull`, `cp` and `sync` take one file on either side, as a file of this machine or as `ws/name#path`.",
    "cli.cp.keeps":
      "A fileset that `cp` or `sync` makes of a whole fileset keeps purpose, metadata, custom fields and schemas.",
    "cli.transfer.nothing-found": "A path that matches nothing is an error with exit code 2.",
    "cli.transfer.filters": "`--include` and `--exclude` select files by glob.",
    "cli.transfer.dry-run-refusals": "`--dry-run` lists the files that would be refused.",
    "cli.push.row-places": "Refused rows are shown as `file:line`.",
    "cli.exit.done": "Exit code 0: done.",
    "cli.exit.fixable": "Exit code 2: the user can fix it.",
    "cli.exit.fault": "Exit code 70: a fault of ours.",
    "cli.exit.interrupted": "Exit code 130: interrupted.",
    "cli.error": "An error on stderr says what happened, why, what to do and the command to run.",
    "cli.doctor.backends": "`doctor` checks the backend of each fileset, and with it its secrets.",
    "cli.dataset": "`dataset` has validate, infer-schema, head and profile.",
    "cli.model": "`model` has analyze.",
    "cli.signature":
      "`fileset sign` and `fileset verify` sign the files of a folder or fileset as OpenSSF Model Signing has it, and name the files that differ.",
    "cli.exit.no": "Exit code 1: the answer is no.",
    "cli.doctor.endpoints": "`doctor` checks each inference endpoint.",
    "cli.eval":
      "`eval` has run, launch, list, status, watch, logs, results, download, explain, compare, cancel and resume.",
    "cli.exit.inconclusive": "Exit code 3: inconclusive.",
    "cli.guard": "`guard` has check and calibrate.",
  }),
  ...rules("operating.md#moving-files", {
    "cli.address": "Files are named `ws/name#path`; `name#path` uses ASSAY_WORKSPACE.",
    "cli.sync": "`sync A B` goes one way, from A to B; each side is a folder or a fileset.",
    "cli.sync.delete": "`sync --delete` removes from B what A lacks.",
    "cli.sync.delete-when-complete": "`sync --delete` removes nothing if a file of A could not be moved.",
    "cli.push.links":
      "`push` follows links whose target is inside the folder, skips the others with a warning and a count.",
    "cli.json.streams":
      "With `--json` results go to stdout, and errors to stderr as `{error: {code, message, remedy}}`.",
    "cli.no-server": "Without a server the exit code is 2.",
  }),
  ...rules("operating.md#start", {
    "start.serves":
      "`npm start` installs, builds what changed and serves on http://127.0.0.1:8080 with everything embedded.",
    "start.prints": "A start prints the address, the data folder and the first three commands to try.",
    "start.graceful-stop": "SIGINT and SIGTERM let requests in flight finish; then the exit code is 0.",
    "start.clients-leave": "A server that stops resets no request on a connection that a client uses all the time.",
    "start.test-command": "`npm test` installs, builds, lints, type-checks and runs every test.",
    "start.self-contained": "Tests start what they need: no server, account or network service has to exist.",
    "start.fetches-node": "On an older Node the two commands fetch Node 24 through npm and continue with it.",
    "start.passes-through": "Signals, PORT and the exit code pass through the two commands.",
    "start.ci": "`.ci/run` calls `npm test` and nothing else that matters.",
    "start.not-ready": "A server that stops is not ready while it hands its jobs over and its requests end.",
    "start.jobs-resumable": "Jobs are put down resumable when the server stops.",
  }),
  ...rules("operating.md#settings", {
    "settings.order": "Settings come from the environment, then `.env`, then `assay.config.json`.",
    "settings.checked-whole": "A wrong value stops the start with one message that names every wrong setting.",
    "settings.host-port": "HOST is 127.0.0.1 and PORT 8080 by default.",
    "settings.free-port": "PORT=0 picks a free port and prints it.",
    "settings.data-dir": "ASSAY_DATA_DIR is `./.assay` by default and created 0700.",
    "settings.database-url": "DATABASE_URL names a PostgreSQL database; without it the database is embedded.",
    "settings.notify-url": "DATABASE_NOTIFY_URL is the address for notices; a pooler in transaction mode needs one.",
    "database.pooler": "Servers work behind PgBouncer in transaction mode.",
    "database.migrate":
      "`assay migrate` migrates the database, `--check` only says what is missing, and ASSAY_MIGRATE=false leaves it to them.",
    "database.rolling-upgrade":
      "Servers of one version and the next run on one PostgreSQL database: migrations add, and remove one version later.",
    "settings.database-pool": "ASSAY_DATABASE_POOL bounds all connections that a server opens to its database.",
    "registry.lock-wait":
      "A request waits at most seconds for a record that another server locks, and then returns 503 with Retry-After.",
    "settings.default-storage": "ASSAY_DEFAULT_STORAGE is a storage configuration as JSON.",
    "settings.auth": "ASSAY_AUTH is `off` or `tokens`; `off` is the default on loopback.",
    "settings.no-open-door": "Listening on anything but loopback without auth is refused at start.",
    "settings.encryption-keys":
      "ASSAY_ENCRYPTION_KEYS holds key-encryption keys, newest first; one is made on first start without it.",
    "settings.allowed-local-roots":
      "ASSAY_ALLOWED_LOCAL_ROOTS lists where users may name local paths; by default nowhere.",
    "settings.wire-names": "ASSAY_WIRE_NAMES is `neutral` by default; `vendor` returns the vendors' words.",
    "settings.upload-idle": "ASSAY_UPLOAD_IDLE_SECONDS is 10 by default.",
    "limits.outgoing":
      "Large answers that wait for their clients share a limit of the server; beyond it, 503 with Retry-After.",
    "settings.max-upload": "ASSAY_MAX_UPLOAD_BYTES limits an upload; there is no limit by default.",
    "operating.log.controls": "The log shows control characters of others as `⟨U+202E⟩` on a terminal.",
    "settings.log": "ASSAY_LOG_LEVEL is `info`; the format is pretty on a terminal and JSON elsewhere.",
    "settings.cli": "The command reads ASSAY_URL, ASSAY_WORKSPACE, ASSAY_TOKEN and NO_COLOR, with their defaults.",
    "settings.allowed-hosts": "ASSAY_ALLOWED_HOSTS lists hosts on which filesets may live besides the public ones.",
    "settings.allowed-inference-hosts": "ASSAY_ALLOWED_INFERENCE_HOSTS lists the hosts that inference may use.",
    "settings.roles": "ASSAY_ROLES says what the process does: api, worker or both.",
    "settings.shared-queue": "DATABASE_URL also holds the shared queue.",
    "operating.loose-modes":
      "Data folders, databases, keys and tokens with loose modes or another owner are named at start and by `doctor`; nothing is changed.",
    "settings.encryption-keys-form":
      "ASSAY_ENCRYPTION_KEYS is comma-separated `name:base64-of-32-bytes`, newest first.",
    "settings.shared-local": "A shared database with local default storage needs ASSAY_SHARED_LOCAL=1.",
  }),
  ...rules("operating.md#telemetry", {
    "settings.telemetry": "OTEL_EXPORTER_OTLP_ENDPOINT sends traces and metrics to a collector.",
    "telemetry.requests":
      "A request is a span of the trace in its traceparent, without path and query, and its duration is a metric.",
    "telemetry.jobs": "A job is one trace on all servers that run its shards.",
    "telemetry.inference":
      "Calls of models are spans and metrics by the GenAI conventions, and endpoints get no traceparent unless ASSAY_SEND_TRACEPARENT is true.",
    "telemetry.storage": "Requests to remote storage are spans with the host and the status, inside what made them.",
    "telemetry.command": "`assay eval run` without a server sends the trace of its run.",
    "telemetry.bounded":
      "A collector that does not respond delays no request, and the end of a process by at most 2 seconds.",
    "telemetry.private": "No span or metric contains a prompt, an answer, a key or the value of a secret.",
  }),
]

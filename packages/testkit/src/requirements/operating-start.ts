import { built, notBuilt, type Requirement } from "./requirement.ts"

/** Starting, stopping and setting it. */
export const OPERATING_START: readonly Requirement[] = [
  ...built("operating §1", {
    "start.serves":
      "`npm start` installs, builds what changed and serves on http://127.0.0.1:8080 with everything embedded.",
    "start.prints": "A start prints the address, the data folder and the first three commands to try.",
    "start.graceful-stop": "SIGINT and SIGTERM let requests in flight finish; then the exit code is 0.",
    "start.test-command": "`npm test` installs, builds, lints, type-checks and runs every test.",
    "start.self-contained": "What a test needs, it starts: no server, account or network service has to be there.",
    "start.fetches-node": "On an older Node the two commands fetch Node 24 through npm and go on with it.",
    "start.passes-through": "Signals, PORT and the exit code pass through the two commands.",
    "start.ci": "`.ci/run` calls `npm test` and nothing else that matters.",
  }),
  ...built("operating §1", {
    "start.jobs-resumable": "Jobs are put down resumable when the server stops.",
  }),
  ...built("operating §2", {
    "settings.order": "Settings come from the environment, then `.env`, then `assay.config.json`.",
    "settings.checked-whole": "A wrong value stops the start with one message that names every wrong setting.",
    "settings.host-port": "HOST is 127.0.0.1 and PORT 8080 by default.",
    "settings.free-port": "PORT=0 picks a free port and prints it.",
    "settings.data-dir": "ASSAY_DATA_DIR is `./.assay` by default and created 0700.",
    "settings.database-url": "DATABASE_URL names a PostgreSQL database; without it the database is embedded.",
    "registry.lock-wait":
      "A request waits at most seconds for a record that another server holds, then answers 503 with Retry-After.",
    "settings.default-storage": "ASSAY_DEFAULT_STORAGE is a storage configuration as JSON.",
    "settings.auth": "ASSAY_AUTH is `off` or `tokens`; `off` is the default on loopback.",
    "settings.no-open-door": "Listening on anything but loopback without auth is refused at start.",
    "settings.encryption-keys":
      "ASSAY_ENCRYPTION_KEYS holds key-encryption keys, newest first; one is made on first start without it.",
    "settings.allowed-local-roots":
      "ASSAY_ALLOWED_LOCAL_ROOTS lists where users may name local paths; nowhere by default.",
    "settings.wire-names": "ASSAY_WIRE_NAMES is `neutral` by default; `vendor` answers in the vendors' words.",
    "settings.upload-idle": "ASSAY_UPLOAD_IDLE_SECONDS is 10 by default.",
    "limits.outgoing":
      "Large answers that wait for their clients are bounded for the whole server; beyond, 503 with Retry-After.",
    "settings.max-upload": "ASSAY_MAX_UPLOAD_BYTES limits an upload; there is no limit by default.",
    "operating.log.controls": "The log shows control characters of others as escapes on a terminal.",
    "settings.log": "ASSAY_LOG_LEVEL is `info`; the format is pretty on a terminal and JSON elsewhere.",
    "settings.cli": "The command reads ASSAY_URL, ASSAY_WORKSPACE, ASSAY_TOKEN and NO_COLOR, with their defaults.",
  }),
  ...built("operating §2", {
    "settings.allowed-hosts": "ASSAY_ALLOWED_HOSTS lists hosts on which filesets may live besides the public ones.",
  }),
  ...built("operating §2", {
    "settings.allowed-inference-hosts": "ASSAY_ALLOWED_INFERENCE_HOSTS lists hosts that may be asked for inference.",
  }),
  ...built("operating §2", {
    "settings.roles": "ASSAY_ROLES says what the process does: api, worker or both.",
    "settings.shared-queue": "DATABASE_URL also carries the shared queue.",
  }),
  ...built("details: Operating", {
    "operating.loose-modes":
      "Data folders, databases, keys and tokens with loose modes or another owner are named at start and by `doctor`; nothing is changed.",
  }),
  ...notBuilt("operating §2", {
    "settings.telemetry": "OTEL_EXPORTER_OTLP_ENDPOINT sends traces and metrics to a collector.",
  }),
  ...built("details: Further answers", {
    "settings.encryption-keys-form":
      "ASSAY_ENCRYPTION_KEYS is comma-separated `name:base64-of-32-bytes`, newest first.",
    "settings.shared-local": "A shared database with local default storage needs ASSAY_SHARED_LOCAL=1.",
  }),
]

import { enumeration, HarnessLimits, numberField, StorageConfiguration } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"
import { OIDC_SETTINGS } from "./oidc-schema.ts"
import { WEBHOOK_SETTINGS } from "./webhook-schema.ts"
import { TELEMETRY_SETTINGS } from "./telemetry-schema.ts"

const text = (description: string, options = {}) =>
  Type.Optional(Type.String({ minLength: 1, description, ...options }))
const list = (description: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], description })

/** The roles of a server process. */
export const SERVER_ROLES = ["api", "worker"] as const
export type ServerRole = (typeof SERVER_ROLES)[number]

/**
 * All settings of the server, by their name in the environment, in a `.env` file and in `assay.config.json`. Text is
 * converted by type: lists are comma-separated, objects are JSON.
 */
export const SettingsSchema = Type.Object(
  {
    HOST: Type.String({ minLength: 1, default: "127.0.0.1", description: "Address to listen on." }),
    PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: "Port; 0 picks a free one." }),
    ASSAY_DATA_DIR: Type.String({
      minLength: 1,
      default: "./.assay",
      description: "Folder for the database, the default storage, uploads in progress and keys.",
    }),
    DATABASE_URL: text("postgres://… for a shared database; absent: a file in the data folder.", {
      pattern: "^postgres(ql)?://",
      secret: true,
    }),
    DATABASE_NOTIFY_URL: text(
      "Address of the same database for notices between servers, if DATABASE_URL is a pooler in transaction mode, such as PgBouncer: notices need a session. Absent: DATABASE_URL.",
      { pattern: "^postgres(ql)?://", secret: true },
    ),
    ASSAY_DATABASE_POOL: Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 10,
      description:
        "Maximum number of connections that this server opens to the database of DATABASE_URL. All servers together need fewer than its max_connections.",
    }),
    ASSAY_MIGRATE: Type.Boolean({
      default: true,
      description:
        "Whether the start of a server migrates its database to the newest schema. false: it refuses an older schema; run `assay migrate` first.",
    }),
    ASSAY_ROLES: Type.Array(enumeration(SERVER_ROLES), {
      default: [...SERVER_ROLES],
      minItems: 1,
      description:
        "Roles of this process: api serves requests, worker runs evaluation jobs. A single role needs DATABASE_URL. A worker alone serves only health and metrics.",
    }),
    ASSAY_WORKER_JOBS: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 4,
      description:
        "Maximum number of jobs that a worker runs at the same time. Of jobs that are cut into shards, it also runs one shard more than this number.",
    }),
    ASSAY_MAX_SHARDS_PER_WORKSPACE: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          "Maximum number of shards that the jobs of a workspace run at the same time, on all workers together. Absent: any number. The same on every worker.",
      }),
    ),
    ASSAY_EXECUTORS: text(
      "File of profiles, in YAML, whose engines run jobs that name them in params.executor: Slurm, Kubernetes, a command, or processes of this machine. The same on every server. Absent: none.",
    ),
    ASSAY_DEFAULT_STORAGE: Type.Optional(
      Type.Unsafe<StorageConfiguration>({
        ...StorageConfiguration,
        description:
          "Storage configuration, local or objstore, for filesets that name none; absent: local, in the data folder. Its secrets are in the workspace system.",
      }),
    ),
    ASSAY_SHARED_LOCAL: Type.Boolean({
      default: false,
      description: "Confirms that a local default storage is on a mount shared by all servers.",
    }),
    ASSAY_AUTH: enumeration(["off", "tokens", "oidc"], {
      default: "off",
      description:
        "off: every caller may do everything, on loopback only. tokens: bearer tokens. oidc: these, and people and tokens of the identity provider of ASSAY_OIDC_ISSUER.",
    }),
    ...OIDC_SETTINGS,
    ASSAY_TOKENS_FILE: text("File of hashed tokens; absent: tokens.json in the data folder."),
    ASSAY_AUDIT_DAYS: Type.Integer({
      minimum: 1,
      maximum: 3650,
      default: 90,
      description: "Days that records of writes are kept.",
    }),
    ASSAY_ALLOWED_ORIGINS: list(
      "Origins, such as https://console.example.com, whose pages may read and write through a browser; absent: only the server's own.",
    ),
    ASSAY_TRUST_PROXY: list(
      "Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are trusted: addresses, networks as address/bits, loopback, linklocal, uniquelocal, or a number of hops if only proxies can connect; absent: none.",
    ),
    ASSAY_ENCRYPTION_KEYS: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: "Key-encryption keys as name:base64 of 32 bytes, newest first; absent: created on first start.",
      secret: true,
    }),
    ASSAY_ENCRYPTION_KEYS_FILE: text(
      "File with the key-encryption keys, one per line, newest first, readable by its owner only. Replaces ASSAY_ENCRYPTION_KEYS.",
    ),
    ASSAY_ALLOWED_LOCAL_ROOTS: list(
      "Folders below which filesets may have their own local path. /data/a=team-a|team-b is only for these workspaces; for each path, the innermost matching folder decides.",
    ),
    ASSAY_ALLOWED_HOSTS: list(
      "Hosts that filesets may use besides the public catalog and hub: host, host:port, *.suffix, scheme://host:port or a network as address/bits. A port or scheme applies to the connection; without a port, all ports are allowed. A network allows names that resolve into it, but no cloud metadata service: that needs its exact address.",
    ),
    ASSAY_ALLOWED_INFERENCE_HOSTS: list(
      "Hosts with private addresses that may be used for inference and for the webhook, written as in ASSAY_ALLOWED_HOSTS. Without auth, only link-local addresses and cloud metadata services need an entry.",
    ),
    ASSAY_DEFAULT_INFERENCE_URL: text(
      "Endpoint for models that a request or a guardrail gives by name only, such as https://gateway.example/v1. It need not be listed. Absent: such requests are refused.",
      { pattern: "^https?://" },
    ),
    ASSAY_ALLOW_PLUGINS: Type.Boolean({
      default: false,
      description: "Allows model specifications to name tool call plugins, which are programs of users.",
    }),
    ASSAY_HARNESS_ENVIRONMENT: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
        description:
          'Allows benchmarks, which run commands of users on this machine. The value is the environment of these commands as JSON, such as {"PATH":"/usr/bin:/bin"}; absent: benchmarks are refused.',
        secret: true,
      }),
    ),
    ASSAY_HARNESS_ISOLATION: enumeration(["sandbox", "trusted"], {
      default: "sandbox",
      description:
        "sandbox: harnesses run as nobody, in their own namespaces, with only their own folder and no network; the server does not start if the system does not allow that. trusted: harnesses run with all rights of the server's user, and can read its data and keys.",
    }),
    ASSAY_HARNESS_LIMITS: Type.Optional(
      Type.Object(HarnessLimits.properties, {
        additionalProperties: false,
        description:
          'Limits of one harness, as JSON with memory and disk in bytes, cpu in seconds and processes, such as {"memory":8589934592}; absent: half of the memory, 32 GiB on disk, 4096 processes and threads, and unlimited processor time.',
      }),
    ),
    ASSAY_HARNESS_FOLDERS: list("Folders that harnesses in a sandbox may read in addition to those of the system."),
    ASSAY_PRICES_FILE: text(
      "YAML file with the prices of models, as docs/guides/evaluation.md shows it; absent: the cost of jobs is not known.",
    ),
    ASSAY_PUBLIC_URL: text(
      "Address of this server for people, such as https://assay.example.com, for links in webhooks and for sign-ins with an identity provider.",
      {
        pattern: "^https?://[^/?#@\\s]+(/[^?#\\s]*)?$",
      },
    ),
    ...WEBHOOK_SETTINGS,
    ASSAY_WIRE_NAMES: enumeration(["neutral", "vendor"], {
      default: "neutral",
      description: "Names in responses; vendor for clients that require ngc, huggingface, s3.",
    }),
    ASSAY_UPLOAD_IDLE_SECONDS: numberField("seconds", {
      // A timer of more than 2^31 ms fires at once.
      maximum: 86_400,
      default: 10,
      description: "Seconds of silence after which an upload is ended.",
    }),
    ASSAY_CACHE_MAX_BYTES: numberField("bytes", {
      default: 10_737_418_240,
      description:
        "Maximum number of bytes of remote files in the read cache on the default storage; the least recently used are removed first. 0: no cache. Must be the same on all servers.",
    }),
    ASSAY_HISTORY_DAYS: Type.Integer({
      minimum: 0,
      maximum: 3650,
      default: 30,
      description:
        "Days that the bytes of replaced and deleted files are kept, so that they can be restored. 0: they are not kept. Must be the same on all servers.",
    }),
    ASSAY_HISTORY_MAX_BYTES: numberField("bytes", {
      default: 10_737_418_240,
      description:
        "Maximum number of bytes of replaced and deleted files that each fileset keeps; the oldest are removed first. 0: they are not kept.",
    }),
    ASSAY_TRASH_HOURS: Type.Integer({
      minimum: 0,
      maximum: 8760,
      default: 24,
      description:
        "Hours for which deleted filesets and jobs can be restored. 0: they are deleted at once. Must be the same on all servers.",
    }),
    ASSAY_TRUSTED_KEYS: text(
      "File, or folder of .pem, .pub, .crt and .cer files, with the public keys and certificates whose signatures of models are trusted. Read for each check. Absent: none is.",
    ),
    ASSAY_MAX_UPLOAD_BYTES: Type.Optional(
      numberField("bytes", { description: "Maximum size of a file in bytes; absent: no limit." }),
    ),
    ASSAY_MAX_OUTGOING_BYTES: Type.Optional(
      numberField("bytes", {
        minimum: 1_048_576,
        description:
          "Maximum number of bytes of all responses above 64 KiB that wait for their clients; above it, requests get 503. Absent: a quarter of the memory, at least 256 MiB.",
      }),
    ),
    ASSAY_LOG_LEVEL: enumeration(["trace", "debug", "info", "warn", "error", "silent"], {
      default: "info",
      description: "Minimum level of log lines; info logs every write.",
    }),
    ASSAY_LOG_FORMAT: Type.Optional(
      enumeration(["pretty", "json"], { description: "Absent: pretty on a terminal, JSON elsewhere." }),
    ),
    ...TELEMETRY_SETTINGS,
    ASSAY_REVISION: Type.String({ default: "unknown", description: "Build revision in /cluster-info." }),
  },
  { $id: "Settings", additionalProperties: false },
)
export type Settings = Static<typeof SettingsSchema>
export type SettingName = keyof Settings
export const SETTING_NAMES = Object.keys(SettingsSchema.properties) as SettingName[]

/** Returns whether a setting is secret: its value is never shown, and child processes do not inherit it. */
export function isSecret(name: string): boolean {
  return (SettingsSchema.properties[name as SettingName] as { secret?: boolean } | undefined)?.secret === true
}

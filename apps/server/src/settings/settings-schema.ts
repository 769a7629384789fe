import { enumeration, HarnessLimits, StorageConfiguration } from "@assay/schemas"
import { Type, type Static } from "@sinclair/typebox"

const text = (description: string, options = {}) =>
  Type.Optional(Type.String({ minLength: 1, description, ...options }))
const list = (description: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], description })

/** What a process of the server does. */
export const SERVER_ROLES = ["api", "worker"] as const
export type ServerRole = (typeof SERVER_ROLES)[number]

/**
 * Every setting of the server, by the name that it has in the environment, in a `.env` file and in
 * `assay.config.json`. Text is read by type: lists are comma-separated, objects are JSON.
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
    ASSAY_ROLES: Type.Array(enumeration(SERVER_ROLES), {
      default: [...SERVER_ROLES],
      minItems: 1,
      description:
        "What this process does: api answers requests, worker runs evaluation jobs. One alone needs DATABASE_URL; a worker alone answers health and metrics only.",
    }),
    ASSAY_DEFAULT_STORAGE: Type.Optional(
      Type.Unsafe<StorageConfiguration>({
        ...StorageConfiguration,
        description:
          "Storage configuration, local or objstore, of filesets that name none; absent: local, in the data folder. Its secrets are those of the workspace system.",
      }),
    ),
    ASSAY_SHARED_LOCAL: Type.Boolean({
      default: false,
      description: "The operator vouches that a local default storage is on a mount shared by all servers.",
    }),
    ASSAY_AUTH: enumeration(["off", "tokens"], {
      default: "off",
      description: "off: every caller may do everything, on loopback only. tokens: bearer tokens.",
    }),
    ASSAY_TOKENS_FILE: text("File of hashed tokens; absent: tokens.json in the data folder."),
    ASSAY_ALLOWED_ORIGINS: list(
      "Origins, such as https://console.example.com, whose pages may read and write through a browser; absent: the server's own only.",
    ),
    ASSAY_TRUST_PROXY: list(
      "Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed: addresses, networks as address/bits, loopback, linklocal, uniquelocal, or a number of hops if nothing but proxies can connect; absent: none.",
    ),
    ASSAY_ENCRYPTION_KEYS: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: "Key-encryption keys as name:base64 of 32 bytes, newest first; absent: made on first start.",
      secret: true,
    }),
    ASSAY_ENCRYPTION_KEYS_FILE: text(
      "File with the key-encryption keys, one a line, newest first, which its owner alone can read; in place of ASSAY_ENCRYPTION_KEYS.",
    ),
    ASSAY_ALLOWED_LOCAL_ROOTS: list(
      "Folders below which filesets may name a local path of their own. /data/a=team-a|team-b is for these workspaces alone; the innermost root that holds a path decides.",
    ),
    ASSAY_ALLOWED_HOSTS: list(
      "Hosts on which filesets may live besides the public catalog and hub: host, host:port, *.suffix, scheme://host:port or a network as address/bits. A port or scheme holds for the address that is dialled; without one every port is open. A network admits names that lead into it, but no metadata service of a cloud: that needs its exact address.",
    ),
    ASSAY_ALLOWED_INFERENCE_HOSTS: list(
      "Hosts of private addresses that may be asked for inference, written as in ASSAY_ALLOWED_HOSTS. Without auth only link-local addresses and those of cloud metadata services need an entry.",
    ),
    ASSAY_DEFAULT_INFERENCE_URL: text(
      "Where models are asked that a request or a guardrail gives by name alone, such as https://gateway.example/v1; it may be asked without being listed. Absent: such requests are refused.",
      { pattern: "^https?://" },
    ),
    ASSAY_ALLOW_PLUGINS: Type.Boolean({
      default: false,
      description: "Specifications of models may name tool call plugins, which are programs of users.",
    }),
    ASSAY_HARNESS_ENVIRONMENT: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), Type.String(), {
        description:
          'Allows benchmarks, which run commands of users here: the variables, as JSON, that these are started with, such as {"PATH":"/usr/bin:/bin"}; absent: none is run.',
        secret: true,
      }),
    ),
    ASSAY_HARNESS_ISOLATION: enumeration(["sandbox", "trusted"], {
      default: "sandbox",
      description:
        "sandbox: harnesses run as nobody, in namespaces of their own, with their own folder alone and no network; the server does not start where that can't be done. trusted: they run with all rights of the server's user, and can read its data and keys.",
    }),
    ASSAY_HARNESS_LIMITS: Type.Optional(
      Type.Object(HarnessLimits.properties, {
        additionalProperties: false,
        description:
          'What one harness uses at most, as JSON with memory and disk in bytes, cpu in seconds and processes, such as {"memory":8589934592}; absent: half of the memory, 32 GiB on disk, 4096 processes and threads, and any processor time.',
      }),
    ),
    ASSAY_HARNESS_FOLDERS: list("Folders that harnesses in a sandbox may read besides those of the system."),
    ASSAY_WIRE_NAMES: enumeration(["neutral", "vendor"], {
      default: "neutral",
      description: "Words in answers; vendor for clients that insist on ngc, huggingface, s3.",
    }),
    ASSAY_UPLOAD_IDLE_SECONDS: Type.Number({
      exclusiveMinimum: 0,
      default: 10,
      description: "An upload that is silent for so long is dropped.",
    }),
    ASSAY_CACHE_MAX_BYTES: Type.Integer({
      minimum: 0,
      default: 10_737_418_240,
      description:
        "Bytes of files from remote storage that are kept on the default storage, those used last; 0: none. The same on all servers.",
    }),
    ASSAY_MAX_UPLOAD_BYTES: Type.Optional(
      Type.Integer({ minimum: 0, description: "Largest file that is taken; absent: no limit." }),
    ),
    ASSAY_MAX_OUTGOING_BYTES: Type.Optional(
      Type.Integer({
        minimum: 1_048_576,
        description:
          "Bytes of answers above 64 KiB that wait for their clients, in all; beyond, requests get 503. Absent: a quarter of the memory, at least 256 MiB.",
      }),
    ),
    ASSAY_LOG_LEVEL: enumeration(["trace", "debug", "info", "warn", "error", "silent"], {
      default: "info",
      description: "What is logged; info names every write.",
    }),
    ASSAY_LOG_FORMAT: Type.Optional(
      enumeration(["pretty", "json"], { description: "Absent: pretty on a terminal, JSON elsewhere." }),
    ),
    ASSAY_REVISION: Type.String({ default: "unknown", description: "Build revision that /cluster-info tells." }),
  },
  { $id: "Settings", additionalProperties: false },
)
export type Settings = Static<typeof SettingsSchema>
export type SettingName = keyof Settings

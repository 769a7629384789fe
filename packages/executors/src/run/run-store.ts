import { hash } from "node:crypto"
import { isAbsolute, resolve } from "node:path"
import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { AssayError, printable } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import {
  type FilePath,
  openStorage,
  parseFilePath,
  type RemoteContext,
  type Storage,
  type StoredFile,
} from "@assay/storage"

/** The folder or bucket of a run that is cut into shards. It is all that the processes of the run share. */
export interface RunStore {
  /** The location as every process of the run names it: an absolute path, or `s3://bucket/prefix`. */
  readonly location: string
  /** Absolute path of the folder. Undefined for a bucket. */
  readonly folder: string | undefined
  readonly storage: Storage
}

/** The parts of the process that opening a run needs. */
export interface RunStorePorts {
  /** Absolute path of the working folder. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly randomBytes: (size: number) => Uint8Array
  /** Sends the requests to a bucket. Called once, and only for a bucket. */
  readonly openRemote: () => RemoteContext
}

const BUCKET = /^s3:\/\/([^/]+)(?:\/(.*))?$/

/**
 * Opens a run: a folder of this machine, or a bucket as `s3://bucket/prefix`, with the credentials, region and endpoint that the
 * variables of the AWS clients name. Nothing is read yet.
 * @throws `bad_usage` for an address that is not one of a bucket
 */
export async function openRunStore(
  written: string,
  { cwd, env, randomBytes, openRemote }: RunStorePorts,
): Promise<RunStore> {
  if (!/^[\w+.-]+:\/\//.test(written)) {
    return openRunFolder(isAbsolute(written) ? resolve(written) : resolve(cwd, written), randomBytes)
  }
  const [, bucket, prefix = ""] = BUCKET.exec(written) ?? []
  if (bucket === undefined) {
    const message = `'${printable(written)}' is not a location of a run: give a folder, or a bucket as s3://bucket/prefix.`
    throw new AssayError("bad_usage", message)
  }
  const endpoint = env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"] ?? ""
  const configuration = {
    type: "objstore",
    bucket,
    prefix,
    use_sdk_auth: true,
    ...(endpoint === "" ? {} : { endpoint_url: endpoint }),
  } as const
  const remote = { ...openRemote(), workspace: "", allowAmbient: true, resolveSecret: noSecret }
  const { storage } = await openStorage(configuration, { remote })
  return { location: `s3://${bucket}/${prefix}`.replace(/\/+$/, ""), folder: undefined, storage }
}

/** Opens the run in a folder. @param folder absolute path */
export async function openRunFolder(folder: string, randomBytes: RunStorePorts["randomBytes"]): Promise<RunStore> {
  // Many processes write into the folder at the same time, and killed ones leave temporary files. No two may have a name.
  const newId = () => Buffer.from(randomBytes(16)).toString("hex")
  const { storage } = await openStorage({ type: "local", path: folder }, { newId })
  return { location: folder, folder, storage }
}

async function noSecret(): Promise<string> {
  throw new AssayError(
    "secret_not_readable",
    "The bucket of a run has no secrets: set the variables of the AWS clients.",
  )
}

/** The files of a run. Numbers of shards have five digits, so that a listing is in their order. */
export const runFiles = Object.freeze({
  plan: parseFilePath("plan.json"),
  done: (index: number) => parseFilePath(`done/${digits(index)}.json`),
  progress: (index: number) => parseFilePath(`progress/${digits(index)}.json`),
  findings: (index: number) => parseFilePath(`findings/${digits(index)}.json`),
  failure: (index: number, attempt: number) => parseFilePath(`failures/${digits(index)}-${attempt}.json`),
  segment: (index: number, writer: string, number: number) =>
    parseFilePath(`${segmentFolder(index, writer)}${number}.jsonl.zst`),
  /** The folder of the segments that a process of a shard wrote. */
  segments: segmentFolder,
  /** The folder of the rows of a shard that are in no segment yet. */
  rows: (index: number) => `rows/${digits(index)}/`,
  /** Where the rows of a file of a dataset are. */
  rowIndex: (dataset: string, file: string) =>
    parseFilePath(`indexes/${hash("sha256", JSON.stringify([dataset, file])).slice(0, 32)}.json`),
  input: (number: number, path: string) => parseFilePath(`data/${number}/${path}`),
})

function segmentFolder(index: number, writer: string): string {
  return `segments/${digits(index)}/${writer}/`
}

function digits(index: number): string {
  return String(index).padStart(5, "0")
}

/** Returns the number of the shard that a file is about, such as 7 of `done/00007.json`. */
export function shardOfFile(path: string): number {
  return Number(/\/(\d{5,})/.exec(path)?.[1] ?? Number.NaN)
}

/** Lists the files of a folder of a run. */
export function listFiles({ storage }: RunStore, prefix: string, signal?: AbortSignal): Promise<readonly StoredFile[]> {
  return Array.fromAsync(storage.list({ prefix, signal }))
}

/** Returns values of files by the number of the shard that each is about. */
export function valuesByShard<T>(values: ReadonlyMap<string, T>): ReadonlyMap<number, T> {
  return new Map([...values].map(([path, value]) => [shardOfFile(path), value]))
}

export interface WriteJsonOptions {
  /** Whether the write fails if the file exists. Default false. */
  readonly isNew?: boolean
}

/** Writes a value as a file of JSON. @throws `precondition_failed` if the file exists and must be new; the errors of the storage */
export async function writeJson(
  { storage }: RunStore,
  path: FilePath,
  value: unknown,
  { isNew = false }: WriteJsonOptions = {},
): Promise<StoredFile> {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
  return storage.write(path, oneOf(bytes), { size: bytes.length, ...(isNew ? { ifNoneMatch: "*" } : {}) })
}

/** Returns bytes as the only piece of a file. */
export async function* oneOf(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  yield bytes
}

/** Bytes of the largest file of JSON that is read: the record of a shard with many segments. */
const MAX_JSON = 64 * 1024 * 1024

/** Reads a file of JSON. Undefined if there is none. @throws `bad_document` if it is not JSON; the errors of the storage */
export async function readJson({ storage, location }: RunStore, path: FilePath): Promise<unknown> {
  const bytes = await readBytes(storage, path)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw new AssayError("bad_document", `'${path}' of the run ${printable(location)} is not JSON.`, { cause })
  }
}

/** Reads a file of JSON that has a schema. Undefined if there is none, or if it is not one of these. @throws the errors of the storage */
export async function readRecord<Schema extends TSchema>(
  store: RunStore,
  path: FilePath,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  try {
    const found = await readJson(store, path)
    return Value.Check(schema, found) ? found : undefined
  } catch (error) {
    if (isAssayError(error, "bad_document")) return undefined
    throw error
  }
}

async function readBytes(storage: Storage, path: FilePath): Promise<Buffer | undefined> {
  try {
    const { bytes, file } = await storage.read(path)
    if (file.size > MAX_JSON) throw new AssayError("bad_document", `'${path}' is too large to be a record of a run.`)
    return Buffer.concat(await Array.fromAsync(bytes))
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

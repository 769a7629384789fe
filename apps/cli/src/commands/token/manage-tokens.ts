import { formatTokens, type ShownToken } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import { type CreatedToken, printable, type Role, type Token } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { FolderTokens } from "@assay/server"
import { openClient } from "../../open-client.ts"
import { sayText, writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** Finds the token file of the server that the settings of this folder describe. @throws `bad_settings` */
async function findTokens(context: Context): Promise<FolderTokens> {
  return (await import("@assay/server")).findFolderTokens(context)
}

interface ServerOption extends JsonOption {
  /** The address of a server. Default: the token file of this folder's settings. */
  readonly server?: string
}

export interface CreateTokenOptions extends ServerOption {
  readonly role: Role
  readonly workspace: readonly string[]
  readonly expires?: string
  readonly s3?: boolean
}

/** Runs `assay token create <name>`: only the token and the access key go to stdout, so that a script can store them. */
export async function createToken(context: Context, name: string, options: CreateTokenOptions): Promise<void> {
  const { role, workspace, expires, server, s3 = false } = options
  const grants = workspace.map((workspace) => ({ workspace, role }))
  const lifetimeMs = expires === undefined ? undefined : parseSpan(expires)
  const { created, location } =
    server === undefined
      ? await createHere(context, { name, grants, lifetimeMs, s3 })
      : await createThere(context, { name, grants, lifetimeMs, s3 })
  await print(context, options, created, () => `${created.token}\n${accessKeyLines(created)}`)
  if (options.json === true) return
  const until = created.expires_at === null ? "" : ` until ${created.expires_at}`
  const lines = [
    `created ${created.id}: ${role} in ${workspace.join(", ")}${until}. The token is shown only now; send it as ASSAY_TOKEN.`,
    ...location,
    ...(created.access_key === undefined ? [] : [s3Usage(workspace, server)]),
  ]
  await writeText(context.stderr, `${lines.join("\n")}\n`)
}

/** Returns the lines with the access key, which a shell and an .env file read. */
function accessKeyLines({ access_key, secret }: Creation["created"]): string {
  return access_key === undefined ? "" : `AWS_ACCESS_KEY_ID=${access_key}\nAWS_SECRET_ACCESS_KEY=${secret}\n`
}

/** Says how clients of S3 use the key. */
function s3Usage(workspaces: readonly string[], server = "http://127.0.0.1:8080"): string {
  const url = `${server.replace(/\/+$/, "")}/s3`
  const [first = "default"] = workspaces
  const bucket = `${first === "*" ? "default" : first}.my-fileset`
  return [
    "The access key and its secret are for clients of S3, and are shown only now. A fileset is the bucket workspace.fileset. For example:",
    `  aws --endpoint-url ${url} s3 ls s3://${bucket}`,
    `  rclone ls ":s3,provider=Other,env_auth,endpoint='${url}':${bucket}"`,
  ].join("\n")
}

interface NewToken {
  readonly name: string
  readonly grants: { workspace: string; role: Role }[]
  readonly lifetimeMs: number | undefined
  /** Whether to make an access key for clients of S3. */
  readonly s3: boolean
}

/** A new token, and the lines that say where it is valid. */
interface Creation {
  readonly created: Pick<CreatedToken, "token" | "id" | "expires_at" | "access_key" | "secret">
  readonly location: readonly string[]
}

async function createHere(context: Context, { name, grants, lifetimeMs, s3 }: NewToken): Promise<Creation> {
  const tokens = await findTokens(context)
  const { file, dataFolder, isUsed } = tokens
  const warn = (message: string) => sayText(context.stderr, `warning: ${message}\n`)
  const lifetime = lifetimeMs === undefined ? {} : { lifetimeMs }
  const created = await tokens.create({ name, grants, ...lifetime }, { s3, warn })
  const location = [
    `wrote ${printable(file)}, for the server with the data folder ${printable(dataFolder)}`,
    ...(isUsed ? [] : [noDatabase(dataFolder)]),
  ]
  return { created, location }
}

async function createThere(context: Context, { name, grants, lifetimeMs, s3 }: NewToken): Promise<Creation> {
  const client = openClient(context)
  const expiry = lifetimeMs === undefined ? {} : { expires_in: lifetimeMs / 1000 }
  const wanted = { name, grants, ...expiry, ...(s3 ? { s3 } : {}) }
  const created = await client.tokens.create(wanted, { signal: context.signal })
  return { created, location: [`stored by the server at ${printable(client.url)}`] }
}

/** Warns that a server with another data folder refuses the token, because its message could not say why. */
function noDatabase(dataFolder: string): string {
  return (
    `warning: there is no database in ${printable(dataFolder)}, so no server has used it. If your server has another data folder, ` +
    "create the token in the folder where the server was started, or set ASSAY_DATA_DIR to its data folder."
  )
}

/** Runs `assay token list`. */
export async function listTokens(context: Context, options: ServerOption): Promise<void> {
  const data = await (options.server === undefined ? listHere(context) : listThere(context))
  await print(context, options, { data }, (_result, layout) => formatTokens(data, layout))
}

async function listHere(context: Context): Promise<readonly ShownToken[]> {
  return (await findTokens(context)).list()
}

async function listThere(context: Context): Promise<readonly ShownToken[]> {
  return Array.fromAsync(openClient(context).tokens.list({ signal: context.signal }))
}

/** Runs `assay token revoke <id>`. */
export async function revokeToken(context: Context, id: string, options: ServerOption): Promise<void> {
  const record = await (options.server === undefined
    ? revokeHere(context, id)
    : openClient(context).tokens.revoke(id, { signal: context.signal }))
  await print(context, options, record, () => `revoked ${record.id} (${record.name})\n`)
}

async function revokeHere(context: Context, id: string): Promise<Pick<Token, "id" | "name">> {
  return (await findTokens(context)).revoke(id)
}

const MINUTE_MS = 60_000
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }

/** Parses a duration such as `90d`, `12h` or `30m` into milliseconds. @throws `bad_usage` */
function parseSpan(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  const milliseconds = UNITS[unit]
  if (milliseconds !== undefined) return Number(count) * milliseconds
  throw new AssayError("bad_usage", `--expires '${text}' is not a duration: write it like 90d, 12h or 30m.`)
}

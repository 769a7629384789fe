import { existsSync, mkdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { formatTokens } from "@assay/reports/terminal/listings"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import type { Role } from "@assay/server"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"

/** The token file of the server that the settings of this folder describe. */
interface TokensPlace {
  readonly file: string
  readonly dataFolder: string
  /** The file of its database. Undefined for PostgreSQL. */
  readonly database: string | undefined
}

/** Reads the settings of this folder. @throws `bad_settings` */
async function findTokens({ env, cwd }: Context): Promise<TokensPlace> {
  const { databaseOf, loadSettings, tokensFile } = await import("@assay/server")
  const { settings } = loadSettings({ env, cwd })
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const database = databaseOf(settings, dataFolder)
  const databaseFile = database.kind === "sqlite" ? database.file : undefined
  return { file: tokensFile(settings, cwd), dataFolder, database: databaseFile }
}

export interface CreateTokenOptions extends JsonOption {
  readonly role: Role
  readonly workspace: readonly string[]
  readonly expires?: string
}

/** `assay token create <name>`: only the token goes to stdout, so that a script can store it. */
export async function createToken(context: Context, name: string, options: CreateTokenOptions): Promise<void> {
  const { role, workspace, expires } = options
  const grants = workspace.map((workspace) => ({ workspace, role }))
  const lifetime = expires === undefined ? {} : { lifetimeMs: parseSpan(expires) }
  const { file, dataFolder, database } = await findTokens(context)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const server = await import("@assay/server")
  const { now, randomBytes } = context
  const tools = { file, now, randomBytes, newId: server.createIdMaker(randomBytes) }
  const { token, record } = await server.createToken(tools, { name, grants, ...lifetime })
  await print(context, options, { token, ...record }, () => `${token}\n`)
  if (options.json === true) return
  const until = record.expires_at === null ? "" : ` until ${record.expires_at}`
  const lines = [
    `created ${record.id}: ${role} in ${workspace.join(", ")}${until}. The token is shown only now; send it as ASSAY_TOKEN.`,
    `wrote ${printable(file)}, for the server with the data folder ${printable(dataFolder)}`,
    ...(database === undefined || existsSync(database) ? [] : [noDatabase(dataFolder)]),
  ]
  await writeText(context.stderr, `${lines.join("\n")}\n`)
}

/** A server with another data folder would refuse the token, and its message could not say why. */
function noDatabase(dataFolder: string): string {
  return (
    `warning: there is no database in ${printable(dataFolder)}, so no server has used it. If your server has another data folder, ` +
    "create the token in the folder where the server was started, or set ASSAY_DATA_DIR to its data folder."
  )
}

/** `assay token list` */
export async function listTokens(context: Context, options: JsonOption): Promise<void> {
  const { file } = await findTokens(context)
  const server = await import("@assay/server")
  const data = await server.listTokens({ file })
  await print(context, options, { data }, (_result, layout) => formatTokens(data, layout))
}

/** `assay token revoke <id>` */
export async function revokeToken(context: Context, id: string, options: JsonOption): Promise<void> {
  const { file } = await findTokens(context)
  const server = await import("@assay/server")
  const record = await server.revokeToken({ file }, id)
  await print(context, options, record, () => `revoked ${record.id} (${record.name})\n`)
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

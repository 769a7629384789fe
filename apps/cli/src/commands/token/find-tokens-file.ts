import { resolve } from "node:path"
import type { Context } from "../../context.ts"

/** Where the server that the settings of this folder describe has its tokens. */
export interface TokensPlace {
  readonly file: string
  readonly dataFolder: string
  /** The file of its database; absent if the database is a server of its own. */
  readonly database?: string
}

/** Reads the settings of this folder. @throws `bad_settings` */
export async function findTokensFile({ env, cwd }: Context): Promise<TokensPlace> {
  const { databaseOf, loadSettings, tokensFile } = await import("@assay/server")
  const { settings } = loadSettings({ env, cwd })
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const database = databaseOf(settings, dataFolder)
  return {
    file: tokensFile(settings, cwd),
    dataFolder,
    ...(database.kind === "sqlite" ? { database: database.file } : {}),
  }
}

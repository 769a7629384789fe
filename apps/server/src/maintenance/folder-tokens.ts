import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type CreateToken, createToken, listTokens, revokeToken, type TokenRecord } from "@assay/access"
import { AssayError } from "@assay/schemas"
import { createFolder } from "@assay/storage"
import { openAccessKeys } from "../auth/open-access-keys.ts"
import { createIdMaker } from "../new-id.ts"
import { databaseOf } from "../open-settings-registry.ts"
import { loadSettings } from "../settings/load-settings.ts"
import type { Machine } from "./doctor/data-folder.ts"
import { tokensFile } from "../settings/settings-paths.ts"

/** The tokens of the server that the settings of a folder describe. It may be running. */
export interface FolderTokens {
  readonly file: string
  readonly dataFolder: string
  /** Whether a server has used the data folder. */
  readonly isUsed: boolean
  /** Creates a token, and if `s3` is given, an access key for clients of S3. */
  create(wanted: CreateToken, options: NewTokenOptions): Promise<NewToken>
  list(): ReturnType<typeof listTokens>
  /** @throws `bad_settings` if the folder has no token file; `not_found` if no token has the id */
  revoke(id: string): Promise<TokenRecord>
}

interface NewTokenOptions {
  readonly s3: boolean
  readonly warn: (message: string) => void
}

type NewToken = Pick<TokenRecord, "id" | "expires_at"> & {
  readonly token: string
} & Partial<ReturnType<NonNullable<ReturnType<typeof openAccessKeys>>>>

/** Finds the token file of a folder. @throws `bad_settings` */
export function findFolderTokens({ env, cwd, now, randomBytes }: Machine): FolderTokens {
  const { settings } = loadSettings({ env, cwd })
  const file = tokensFile(settings, cwd)
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const database = databaseOf(settings, dataFolder)
  return {
    file,
    dataFolder,
    isUsed: database.kind !== "sqlite" || existsSync(database.file),
    async create(wanted, { s3, warn }) {
      await createFolder(dirname(file), { mode: 0o700, durable: false })
      const makeKey = s3 ? openAccessKeys({ settings, cwd, logger: { warn } }, dataFolder) : undefined
      const { token, record } = await createToken({ file, now, randomBytes, newId: createIdMaker(randomBytes) }, wanted)
      return { token, ...record, ...makeKey?.({ id: record.id, token }) }
    },
    list: () => listTokens({ file }),
    async revoke(id) {
      if (existsSync(file)) return revokeToken({ file }, id)
      const message = `There is no token file '${file}': run the command in the folder where the server was started, or set ASSAY_DATA_DIR or ASSAY_TOKENS_FILE.`
      throw new AssayError("bad_settings", message)
    },
  }
}

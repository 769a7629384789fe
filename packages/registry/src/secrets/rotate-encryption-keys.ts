import { isAssayError, type RotateEncryptionKeysResult } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { SecretTable } from "../database/tables.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Envelope } from "./envelope.ts"

/** Secrets that are sealed anew in one transaction. */
const BATCH = 100

const SEALED_COLUMNS = ["workspace", "name", "value", "data_key", "key_name"] as const

type SealedSecret = Pick<Selectable<SecretTable>, (typeof SEALED_COLUMNS)[number]>

/**
 * Seals the data keys of all secrets with the newest key; the values stay as they are. Each batch is kept as soon as it
 * is done, so another call goes on where one was cut short. A secret whose key is not at hand stays as it is.
 */
export async function rotateEncryptionKeys(
  context: RegistryContext,
  envelope: Envelope,
): Promise<RotateEncryptionKeysResult> {
  let rotated_secrets = 0
  let success = true
  let last = { workspace: "", name: "" }
  for (;;) {
    const secrets = await sealedWithOthers(context, envelope.newestKey, last)
    const renewed = secrets.flatMap((secret) => renew(context, envelope, secret))
    success &&= renewed.length === secrets.length
    rotated_secrets += await keep(context, renewed)
    const next = secrets.at(-1)
    if (next === undefined) return { rotated_secrets, success }
    last = next
  }
}

function sealedWithOthers(
  { database }: RegistryContext,
  newestKey: string,
  after: { readonly workspace: string; readonly name: string },
): Promise<SealedSecret[]> {
  return database.read((queries) =>
    queries
      .selectFrom("secrets")
      .select(SEALED_COLUMNS)
      .where("key_name", "<>", newestKey)
      .where(sql<boolean>`(workspace, name) > (${after.workspace}, ${after.name})`)
      .orderBy("workspace")
      .orderBy("name")
      .limit(BATCH)
      .execute(),
  )
}

interface RenewedSecret {
  readonly before: SealedSecret
  readonly data_key: Uint8Array
  readonly key_name: string
}

function renew({ log }: RegistryContext, envelope: Envelope, before: SealedSecret): RenewedSecret[] {
  try {
    return [{ before, ...envelope.renew(before, before) }]
  } catch (error) {
    if (!isAssayError(error, "secret_not_readable")) throw error
    log.warn({ err: error, ...error.context }, "Could not seal a secret with the newest encryption key")
    return []
  }
}

/** A secret that got another value meanwhile is sealed with the newest key already. */
async function keep({ database }: RegistryContext, renewed: readonly RenewedSecret[]): Promise<number> {
  if (renewed.length === 0) return 0
  return database.write(async (queries) => {
    let kept = 0
    for (const { before, data_key, key_name } of renewed) {
      const { workspace, name } = before
      const { numUpdatedRows } = await queries
        .updateTable("secrets")
        .set({ data_key, key_name })
        .where((row) => row.and({ workspace, name, data_key: before.data_key }))
        .executeTakeFirst()
      kept += Number(numUpdatedRows)
    }
    return kept
  })
}

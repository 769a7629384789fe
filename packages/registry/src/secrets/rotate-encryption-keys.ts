import type { RotateEncryptionKeysResult } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { SecretTable } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import type { Envelope } from "./envelope.ts"
import { checkAllReadable, checkSecretsReadable } from "./unreadable-secrets.ts"

/** Secrets that are sealed again in one transaction. */
const BATCH = 100

const SEALED_COLUMNS = ["workspace", "name", "value", "data_key", "key_name"] as const

type SealedSecret = Pick<Selectable<SecretTable>, (typeof SEALED_COLUMNS)[number]>

/**
 * Seals the data keys of all secrets with the newest key. The values are not changed. Each batch is saved as soon as it is
 * done, so a repeated call continues an interrupted one. If a secret can't be unsealed, nothing is changed: after a rotation
 * that skipped it, the operator would throw away a key that is still needed.
 * @throws `encryption_key_missing`
 */
export async function rotateEncryptionKeys(
  context: RegistryContext,
  envelope: Envelope,
): Promise<RotateEncryptionKeysResult> {
  checkAllReadable(await checkSecretsReadable(context.database, envelope), context.encryptionKeysSource)
  let rotated_secrets = 0
  let last = { workspace: "", name: "" }
  for (;;) {
    const secrets = await sealedWithOthers(context, envelope.newestKey, last)
    const renewed = secrets.map((before) => ({ before, ...envelope.renew(before, before) }))
    rotated_secrets += await keep(context, renewed)
    const next = secrets.at(-1)
    if (next === undefined) return { rotated_secrets, success: true }
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

/** Skips secrets that got a new value in the meantime: they are already sealed with the newest key. */
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

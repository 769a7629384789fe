import { AssayError, isAssayError, type SecretAddress } from "@assay/schemas"
import { sql } from "kysely"
import { type Database, openDatabase, type DatabaseOptions, type BackgroundLog, readPages } from "@assay/database"
import { createEnvelope, createKeyRing, type EncryptionKey, type Envelope, type SealedValue } from "./envelope.ts"

/** A secret whose data key can't be unsealed with any of the given encryption keys. */
export interface UnreadableSecret extends SecretAddress {
  /** The encryption key with which its data key was sealed. */
  readonly key_name: string
}

interface SecretsCheck {
  readonly total: number
  readonly unreadable: readonly UnreadableSecret[]
  /** Number of secrets by the key with which they are sealed. */
  readonly byKey: ReadonlyMap<string, number>
}

/** Tries to unseal the data key of every secret, because two different keys can have the same name. */
export async function checkSecretsReadable(database: Database, envelope: Envelope): Promise<SecretsCheck> {
  const unreadable: UnreadableSecret[] = []
  const byKey = new Map<string, number>()
  let total = 0
  const pages = readPages<SecretAddress & SealedValue>((last, limit) =>
    database.read((queries) =>
      queries
        .selectFrom("secrets")
        .select(["workspace", "name", "value", "data_key", "key_name"])
        .where(sql<boolean>`(workspace, name) > (${last?.workspace ?? ""}, ${last?.name ?? ""})`)
        .orderBy("workspace")
        .orderBy("name")
        .limit(limit)
        .execute(),
    ),
  )
  for await (const rows of pages) {
    for (const row of rows) {
      const { workspace, name, key_name } = row
      total += 1
      byKey.set(key_name, (byKey.get(key_name) ?? 0) + 1)
      if (!isReadable(envelope, row)) unreadable.push({ workspace, name, key_name })
    }
  }
  return { total, unreadable, byKey }
}

function isReadable(envelope: Envelope, row: SecretAddress & SealedValue): boolean {
  try {
    envelope.renew(row, row)
    return true
  } catch (error) {
    if (isAssayError(error, "secret_not_readable")) return false
    throw error
  }
}

/**
 * Checks that no encryption key is lost. A server that starts with the wrong key would look healthy and have lost every
 * secret. If a key unseals some of its secrets and not others, the key is not lost: the unreadable secrets are logged.
 * @param source where the keys come from, such as "the file '/srv/assay/encryption-keys'"
 * @throws `encryption_key_missing`
 */
export async function checkKeysAtStart(
  database: Database,
  envelope: Envelope,
  { source, log }: { readonly source: string; readonly log: BackgroundLog },
): Promise<void> {
  const { unreadable, byKey } = await checkSecretsReadable(database, envelope)
  if (unreadable.length === 0) return
  const lost = lostKeys(unreadable).filter(([key, count]) => byKey.get(key) === count)
  if (lost.length > 0) throw keysMissing(lost, source)
  log.warn(
    { secrets: unreadable.slice(0, 20).map(({ workspace, name }) => `${workspace}/${name}`) },
    `${counted(unreadable.length)} can't be decrypted with the given encryption keys: set them again, or run 'assay secret discard-unreadable'`,
  )
}

/** @throws `encryption_key_missing` if a secret is unreadable */
export function checkAllReadable({ unreadable }: SecretsCheck, source: string): void {
  if (unreadable.length > 0) throw keysMissing(lostKeys(unreadable), source)
}

type LostKey = readonly [key: string, secrets: number]

function lostKeys(unreadable: readonly UnreadableSecret[]): readonly LostKey[] {
  const counts = new Map<string, number>()
  for (const { key_name } of unreadable) counts.set(key_name, (counts.get(key_name) ?? 0) + 1)
  return [...counts]
}

function keysMissing(lost: readonly LostKey[], source: string): AssayError {
  const needed = lost.map(
    ([key, count]) => `${counted(count)} need${count === 1 ? "s" : ""} the encryption key '${key}'`,
  )
  const message =
    `${needed.join(", ")}: it is missing from ${source}, or a different key has its name. Put the key back, for example from a backup. ` +
    `To discard these secrets, stop the server, run 'assay secret discard-unreadable' and set them again.`
  return new AssayError("encryption_key_missing", message, {
    context: { keys: lost.map(([name, secrets]) => ({ name, secrets })) },
  })
}

function counted(secrets: number): string {
  return `${secrets} secret${secrets === 1 ? "" : "s"}`
}

interface SecretsRepairOptions {
  readonly database: DatabaseOptions
  /** Newest first; at least one. */
  readonly encryptionKeys: readonly EncryptionKey[]
  readonly randomBytes: (count: number) => Uint8Array
}

/** Discards secrets whose key is lost for good. Until then, `openRegistry` fails. */
export interface SecretsRepair {
  list(): Promise<readonly UnreadableSecret[]>
  /** Deletes these secrets, except those that got a new value in the meantime. Returns the number of deleted secrets. */
  discard(secrets: readonly UnreadableSecret[]): Promise<number>
  close(): Promise<void>
}

/** Opens the secrets of a database that no server uses. */
export async function openSecretsRepair(options: SecretsRepairOptions): Promise<SecretsRepair> {
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const database = await openDatabase(options.database, () => {})
  return {
    async list() {
      return (await checkSecretsReadable(database, envelope)).unreadable
    },
    discard: (secrets) =>
      database.write(async (queries) => {
        let discarded = 0
        for (const { workspace, name, key_name } of secrets) {
          const { numDeletedRows } = await queries
            .deleteFrom("secrets")
            .where((row) => row.and({ workspace, name, key_name }))
            .executeTakeFirst()
          discarded += Number(numDeletedRows)
        }
        return discarded
      }),
    close: () => database.close(),
  }
}

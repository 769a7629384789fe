import { AssayError, isAssayError, type SecretAddress } from "@assay/schemas"
import { sql } from "kysely"
import type { Database } from "../database/database.ts"
import type { RegistryLog } from "../registry-context.ts"
import type { Envelope } from "./envelope.ts"

/** Secrets that are read at a time. */
const BATCH = 500

/** A secret whose data key none of the keys at hand unseals. */
export interface UnreadableSecret extends SecretAddress {
  /** The encryption key that its data key was sealed with. */
  readonly key_name: string
}

export interface SecretsCheck {
  readonly total: number
  readonly unreadable: readonly UnreadableSecret[]
  /** How many secrets are sealed with each key. */
  readonly byKey: ReadonlyMap<string, number>
}

/** Tries the data key of every secret: a name alone does not tell that a key is still the same. */
export async function checkSecretsReadable(database: Database, envelope: Envelope): Promise<SecretsCheck> {
  const unreadable: UnreadableSecret[] = []
  const byKey = new Map<string, number>()
  let total = 0
  let last = { workspace: "", name: "" }
  for (;;) {
    const { workspace: afterWorkspace, name: afterName } = last
    const rows = await database.read((queries) =>
      queries
        .selectFrom("secrets")
        .select(["workspace", "name", "value", "data_key", "key_name"])
        .where(sql<boolean>`(workspace, name) > (${afterWorkspace}, ${afterName})`)
        .orderBy("workspace")
        .orderBy("name")
        .limit(BATCH)
        .execute(),
    )
    for (const row of rows) {
      const { workspace, name, key_name } = row
      total += 1
      byKey.set(key_name, (byKey.get(key_name) ?? 0) + 1)
      if (!isReadable(envelope, row)) unreadable.push({ workspace, name, key_name })
    }
    const end = rows.at(-1)
    if (end === undefined) return { total, unreadable, byKey }
    last = end
  }
}

function isReadable(envelope: Envelope, row: SecretAddress & Parameters<Envelope["renew"]>[1]): boolean {
  try {
    envelope.renew(row, row)
    return true
  } catch (error) {
    if (isAssayError(error, "secret_not_readable")) return false
    throw error
  }
}

/**
 * Refuses to go on without a key: a server that starts with another one would look well and have lost every secret. A few
 * secrets that their key does not unseal, while it unseals others, are no lost key; they are logged.
 * @param place where the keys come from, as in "the file '/srv/assay/encryption-keys'"
 * @throws `encryption_key_missing`
 */
export async function checkKeysAtStart(
  database: Database,
  envelope: Envelope,
  { place, log }: { readonly place: string; readonly log: RegistryLog },
): Promise<void> {
  const { unreadable, byKey } = await checkSecretsReadable(database, envelope)
  if (unreadable.length === 0) return
  const lost = lostKeys(unreadable).filter(([key, count]) => byKey.get(key) === count)
  if (lost.length > 0) throw keysMissing(lost, place)
  log.warn(
    { secrets: unreadable.slice(0, 20).map(({ workspace, name }) => `${workspace}/${name}`) },
    `${counted(unreadable.length)} can't be decrypted with the encryption keys at hand: set them again, or run 'assay secret discard-unreadable'`,
  )
}

/** @throws `encryption_key_missing` where a secret can't be sealed anew */
export function checkAllReadable({ unreadable }: SecretsCheck, place: string): void {
  if (unreadable.length > 0) throw keysMissing(lostKeys(unreadable), place)
}

type LostKey = readonly [key: string, secrets: number]

function lostKeys(unreadable: readonly UnreadableSecret[]): readonly LostKey[] {
  const counts = new Map<string, number>()
  for (const { key_name } of unreadable) counts.set(key_name, (counts.get(key_name) ?? 0) + 1)
  return [...counts]
}

function keysMissing(lost: readonly LostKey[], place: string): AssayError {
  const needed = lost.map(
    ([key, count]) => `${counted(count)} need${count === 1 ? "s" : ""} the encryption key '${key}'`,
  )
  const message =
    `${needed.join(", ")}: it is not in ${place}, or is another one there. Put the key back, for example from a backup. ` +
    `To give these secrets up, stop the server, run 'assay secret discard-unreadable' and set them again.`
  return new AssayError("encryption_key_missing", message, {
    context: { keys: lost.map(([name, secrets]) => ({ name, secrets })) },
  })
}

function counted(secrets: number): string {
  return `${secrets} secret${secrets === 1 ? "" : "s"}`
}

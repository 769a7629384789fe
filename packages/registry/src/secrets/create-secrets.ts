import { AssayError, type CreateSecret, formatTimestamp, type Secret, type UpdateSecret } from "@assay/schemas"
import {
  type Database,
  notFoundIn,
  checkWorkspace,
  workspaceMissing,
  orderOf,
  readRecords,
  changeTime,
  checkStorable,
  createRecord,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import type { Secrets } from "./secrets.ts"
import type { Envelope } from "./envelope.ts"
import { rotateEncryptionKeys } from "./rotate-encryption-keys.ts"
import { checkSecretFree } from "./secret-uses.ts"

/** All columns except the sealed value. Only `createResolveSecret` reads that. */
const PUBLIC_COLUMNS = ["name", "workspace", "description", "created_at", "updated_at"] as const

interface SecretRow {
  readonly name: string
  readonly workspace: string
  readonly description: string
  readonly created_at: number
  readonly updated_at: number
}

export function createSecrets(context: RegistryContext, envelope: Envelope): Secrets {
  const { database } = context

  async function get(workspace: string, name: string): Promise<Secret> {
    const row = await database.read((queries) =>
      queries
        .selectFrom("secrets")
        .select(PUBLIC_COLUMNS)
        .where((row) => row.and({ workspace, name }))
        .executeTakeFirst(),
    )
    if (row === undefined) throw await notFoundIn(database, workspace, "Secret", name)
    return secretOf(row)
  }

  return {
    create: (workspace, body, { owner = "" } = {}) => insertSecret({ ...context, envelope }, workspace, body, owner),

    async list(workspace, { sort, ...query }) {
      const { column, direction } = orderOf(sort)
      const { rows, pagination } = await readRecords(database, query, (queries) =>
        queries
          .selectFrom("secrets")
          .select(PUBLIC_COLUMNS)
          .where("workspace", "=", workspace)
          .orderBy(column, direction)
          .orderBy("name"),
      )
      if (rows.length === 0) await database.read((queries) => checkWorkspace(queries, workspace))
      return { data: rows.map(secretOf), pagination }
    },

    get,

    update: (workspace, name, body) => updateSecret({ ...context, envelope }, { workspace, name }, body),

    async remove(workspace, name, { force = false, visible = "all" } = {}) {
      if (!force) {
        await get(workspace, name)
        await checkSecretFree(context, { workspace, name }, visible)
      }
      const row = await database.write((queries) =>
        queries
          .deleteFrom("secrets")
          .where((row) => row.and({ workspace, name }))
          .returning("name")
          .executeTakeFirst(),
      )
      if (row === undefined) throw await notFoundIn(database, workspace, "Secret", name)
    },

    rotateEncryptionKeys: () => rotateEncryptionKeys(context, envelope),

    ownerOf: (workspace, name) => findOwner(database, { workspace, name }),

    async removeOwned(owner) {
      if (owner === "") return
      await database.write((queries) => queries.deleteFrom("secrets").where("owner", "=", owner).execute())
    },

    resolve: (workspace, name) => context.remote.resolveSecret({ workspace, name }),

    versions: (secrets) => context.secretVersions(secrets),
  }
}

interface SealingContext extends RegistryContext {
  readonly envelope: Envelope
}

interface SecretAddress {
  readonly workspace: string
  readonly name: string
}

/** @param owner the job for which the secret is made; "" for others */
async function insertSecret(
  { database, now, envelope }: SealingContext,
  workspace: string,
  body: CreateSecret,
  owner: string,
): Promise<Secret> {
  checkStorable(body)
  const { name, description = "", value } = body
  const time = now()
  const row = { name, workspace, description, created_at: time, updated_at: time }
  const sealed = envelope.seal({ workspace, name }, value)
  await createRecord(
    database,
    (queries) =>
      queries
        .insertInto("secrets")
        .values({ ...row, ...sealed, owner })
        .execute(),
    {
      taken: () => new AssayError("already_exists", `Secret '${workspace}/${name}' already exists`),
      missingParent: () => workspaceMissing(workspace),
    },
  )
  return secretOf(row)
}

async function updateSecret(
  { database, now, envelope }: SealingContext,
  { workspace, name }: SecretAddress,
  body: UpdateSecret,
): Promise<Secret> {
  checkStorable(body)
  const { description, value } = body
  const sealed = value === undefined ? {} : envelope.seal({ workspace, name }, value)
  const row = await database.write((queries) =>
    queries
      .updateTable("secrets")
      .set({ ...(description === undefined ? {} : { description }), ...sealed, updated_at: changeTime(now()) })
      .where((row) => row.and({ workspace, name }))
      .returning(PUBLIC_COLUMNS)
      .executeTakeFirst(),
  )
  if (row === undefined) throw await notFoundIn(database, workspace, "Secret", name)
  return secretOf(row)
}

/** Returns the job for which a secret was made; undefined for a secret of a user. */
async function findOwner(database: Database, address: SecretAddress): Promise<string | undefined> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("secrets")
      .select("owner")
      .where((row) => row.and(address))
      .executeTakeFirst(),
  )
  return row === undefined || row.owner === "" ? undefined : row.owner
}

function secretOf({ name, workspace, description, created_at, updated_at }: SecretRow): Secret {
  return {
    name,
    workspace,
    description,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at),
  }
}

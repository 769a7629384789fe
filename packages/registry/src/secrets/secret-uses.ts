import { AssayError, type SecretAddress, JOB_STATUSES, isFinalJobStatus, secretsNamedIn } from "@assay/schemas"
import { sql } from "kysely"
import { DOCUMENT_KINDS, type DocumentKind } from "../documents/documents.ts"
import { CHUNK, inParts } from "../records/read-in-parts.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { VisibleWorkspaces } from "../registry.ts"
import { secretsOfStorage, storageOf } from "../storages/storage-configuration.ts"

/** What names a secret. */
export interface SecretUse {
  readonly kind:
    | "default storage"
    | "fileset"
    | "guardrail configuration"
    | "evaluation target"
    | "evaluation configuration"
    | "evaluation job"
  /** Empty for the default storage, which belongs to no workspace. */
  readonly workspace: string
  /** Of a job its id. */
  readonly name: string
}

/** Uses that are named; the others are counted. */
const MAX_NAMED = 10

/** @throws `in_use` that names what uses the secret, as far as it may be seen; `used_by` and `uses` in its context */
export async function checkSecretFree(
  context: Pick<RegistryContext, "database" | "defaultStorage">,
  secret: SecretAddress,
  visible: VisibleWorkspaces,
): Promise<void> {
  const named: SecretUse[] = []
  let [seen, hidden] = [0, 0]
  for await (const use of findSecretUses(context, secret)) {
    const isVisible = use.workspace === "" || visible === "all" || visible.includes(use.workspace)
    if (!isVisible) hidden += 1
    else {
      seen += 1
      if (named.length < MAX_NAMED) named.push(use)
    }
  }
  const uses = seen + hidden
  if (uses === 0) return
  const { workspace, name } = secret
  const list = [...named.map(textOf), ...more(seen - named.length, "more"), ...more(hidden, "you can't see")].join(", ")
  const message = `Secret '${workspace}/${name}' is used by ${list}; change them first, or delete it anyway with force=true.`
  throw new AssayError("in_use", message, { context: { workspace, name, used_by: named, uses } })
}

function textOf({ kind, workspace, name }: SecretUse): string {
  return workspace === ""
    ? `the ${kind} of the server`
    : `${kind} '${kind === "evaluation job" ? name : `${workspace}/${name}`}'`
}

function more(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}

type UsesContext = Pick<RegistryContext, "database" | "defaultStorage">

const OPERATORS_WORKSPACE = "system"

const JOBS_AT_WORK = JOB_STATUSES.filter((status) => !isFinalJobStatus(status))

/**
 * Everything that names a secret: the default storage, filesets on remote storage, configurations, and jobs that have not
 * ended. Records are read in parts along an index; of filesets only those that can name a secret.
 */
export async function* findSecretUses(
  context: UsesContext,
  secret: SecretAddress,
): AsyncGenerator<SecretUse, void, undefined> {
  const { defaultStorage } = context
  const isNamed = (named: readonly SecretAddress[]) =>
    named.some(({ workspace, name }) => workspace === secret.workspace && name === secret.name)
  if (isNamed(secretsOfStorage(defaultStorage, OPERATORS_WORKSPACE))) {
    yield { kind: "default storage", workspace: "", name: "" }
  }
  for await (const row of documentsWith(context, secret.name)) {
    const { kind, workspace, name, data } = row
    if (isNamed(secretsNamedIn(JSON.parse(data), workspace))) yield { kind: KINDS[kind], workspace, name }
  }
  for await (const { id, namespace, target, config } of jobsAtWork(context)) {
    const isUsed = isNamed(secretsNamedIn([JSON.parse(target), JSON.parse(config)], namespace))
    if (isUsed) yield { kind: "evaluation job", workspace: namespace, name: id }
  }
  for await (const row of remoteFilesets(context)) {
    const { workspace, name, owns_bytes } = row
    // What the server's default storage names is the operator's, as it is above.
    const home = owns_bytes === 1 ? OPERATORS_WORKSPACE : workspace
    if (isNamed(secretsOfStorage(storageOf(row, defaultStorage), home))) yield { kind: "fileset", workspace, name }
  }
}

const KINDS: Readonly<Record<DocumentKind, SecretUse["kind"]>> = {
  guardrail_configurations: "guardrail configuration",
  evaluation_targets: "evaluation target",
  evaluation_configurations: "evaluation configuration",
}

/** Documents of all kinds whose data holds `text`, which may be anywhere in it. */
async function* documentsWith({ database }: UsesContext, text: string) {
  const groups = await database.read((queries) =>
    queries.selectFrom("documents").select(["workspace", "kind"]).distinct().execute(),
  )
  // Kinds in the order of the table, so that messages have one.
  for (const kind of Object.keys(DOCUMENT_KINDS) as DocumentKind[]) {
    for (const { workspace } of groups.filter((group) => group.kind === kind)) {
      const read = (after: string) =>
        database.read((queries) =>
          queries
            .selectFrom("documents")
            .select(["kind", "workspace", "name", "data"])
            .where((row) => row.and({ workspace, kind }))
            .where("name", ">", after)
            .orderBy("name")
            .limit(CHUNK)
            .execute(),
        )
      for await (const row of inParts(read, ({ name }) => name)) if (row.data.includes(text)) yield row
    }
  }
}

/** Jobs that run or wait: few beside those that have ended. */
async function* jobsAtWork({ database }: UsesContext) {
  for (const status of JOBS_AT_WORK) {
    const read = (after: string) =>
      database.read((queries) =>
        queries
          .selectFrom("evaluation_jobs")
          .select(["id", "namespace", "target", "config"])
          .where("status", "=", status)
          .where("id", ">", after)
          .orderBy("id")
          .limit(CHUNK)
          .execute(),
      )
    yield* inParts(read, ({ id }) => id)
  }
}

/** Filesets on storage that can name secrets. Their counts tell where there are any. */
async function* remoteFilesets({ database }: UsesContext) {
  const groups = await database.read((queries) =>
    queries
      .selectFrom("fileset_counts")
      .select(["workspace", "storage_type"])
      .where("storage_type", "!=", "local")
      .where("workspace", "!=", "")
      .groupBy(["workspace", "storage_type"])
      .having(sql<number>`sum(total)`, ">", 0)
      .execute(),
  )
  for (const { workspace, storage_type } of groups) {
    const read = (after: string) =>
      database.read((queries) =>
        queries
          .selectFrom("filesets")
          .select(["workspace", "name", "storage", "storage_type", "owns_bytes", "subfolder", "folder"])
          .where("workspace", "=", workspace)
          .where("storage_type", "=", storage_type)
          .where("name", ">", after)
          .orderBy("name")
          .limit(CHUNK)
          .execute(),
      )
    yield* inParts(read, ({ name }) => name)
  }
}

import { AssayError, isFinalJobStatus, JOB_STATUSES, secretsNamedIn, type SecretAddress } from "@assay/schemas"
import {
  type EvaluationJobTable,
  type DocumentTable,
  type DocumentKind,
  DOCUMENT_KINDS,
  readPages,
  type VisibleWorkspaces,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { secretsOfDefaultStorage, secretsOfFilesets } from "@assay/filesets"

/** A record that names a secret. */
interface SecretUse {
  readonly kind:
    | "default storage"
    | "fileset"
    | "guardrail configuration"
    | "evaluation baseline"
    | "evaluation target"
    | "evaluation configuration"
    | "evaluation job"
  /** Empty for the default storage, which is in no workspace. */
  readonly workspace: string
  /** The id, for a job. */
  readonly name: string
}

/** Maximum number of uses that the message names. It counts the others. */
const MAX_NAMED = 10

/**
 * Checks that nothing uses a secret.
 * @throws `in_use` with the visible uses in the message and in `used_by`, and the number of all uses in `uses`
 */
export async function checkSecretFree(
  context: Pick<RegistryContext, "database" | "defaultStorage">,
  secret: SecretAddress,
  visible: VisibleWorkspaces,
): Promise<void> {
  const named: SecretUse[] = []
  let seen = 0
  let hidden = 0
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
  const list = [...named.map(describeUse), ...more(seen - named.length, "more"), ...more(hidden, "you can't see")].join(
    ", ",
  )
  const message = `Secret '${workspace}/${name}' is used by ${list}; change them first, or delete it with the option 'force'.`
  throw new AssayError("in_use", message, { context: { workspace, name, used_by: named, uses } })
}

function describeUse({ kind, workspace, name }: SecretUse): string {
  return workspace === ""
    ? `the ${kind} of the server`
    : `${kind} '${kind === "evaluation job" ? name : `${workspace}/${name}`}'`
}

function more(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}

type UsesContext = Pick<RegistryContext, "database" | "defaultStorage">

const JOBS_AT_WORK = JOB_STATUSES.filter((status) => !isFinalJobStatus(status))

/**
 * Finds everything that names a secret: the default storage, filesets on remote storage, configurations, and jobs that
 * have not ended. It reads records in pages along an index, and skips filesets whose storage type names no secrets.
 */
export async function* findSecretUses(
  context: UsesContext,
  secret: SecretAddress,
): AsyncGenerator<SecretUse, void, undefined> {
  const isNamed = (named: readonly SecretAddress[]) =>
    named.some(({ workspace, name }) => workspace === secret.workspace && name === secret.name)
  if (isNamed(secretsOfDefaultStorage(context.defaultStorage))) {
    yield { kind: "default storage", workspace: "", name: "" }
  }
  for await (const row of documentsWith(context, secret.name)) {
    const { kind, workspace, name, data } = row
    if (isNamed(secretsNamedIn(JSON.parse(data), workspace))) yield { kind: KINDS[kind], workspace, name }
  }
  for await (const { id, namespace: workspace, target, config } of jobsAtWork(context)) {
    const isUsed = isNamed(secretsNamedIn([JSON.parse(target), JSON.parse(config)], workspace))
    if (isUsed) yield { kind: "evaluation job", workspace, name: id }
  }
  for await (const { workspace, name, secrets } of secretsOfFilesets(context)) {
    if (isNamed(secrets)) yield { kind: "fileset", workspace, name }
  }
}

const KINDS: Readonly<Record<DocumentKind, SecretUse["kind"]>> = {
  guardrail_configurations: "guardrail configuration",
  evaluation_targets: "evaluation target",
  evaluation_configurations: "evaluation configuration",
  evaluation_baselines: "evaluation baseline",
}

/** Lists the documents of all kinds whose data contains `text` anywhere. */
async function* documentsWith({ database }: UsesContext, text: string) {
  const groups = await database.read((queries) =>
    queries.selectFrom("documents").select(["workspace", "kind"]).distinct().execute(),
  )
  // The order of the table makes the order in messages stable.
  for (const kind of Object.keys(DOCUMENT_KINDS) as DocumentKind[]) {
    for (const { workspace } of groups.filter((group) => group.kind === kind)) {
      const pages = readPages<Pick<DocumentTable, "kind" | "workspace" | "name" | "data">>((last, limit) =>
        database.read((queries) =>
          queries
            .selectFrom("documents")
            .select(["kind", "workspace", "name", "data"])
            .where((row) => row.and({ workspace, kind }))
            .where("name", ">", last?.name ?? "")
            .orderBy("name")
            .limit(limit)
            .execute(),
        ),
      )
      for await (const rows of pages) yield* rows.filter(({ data }) => data.includes(text))
    }
  }
}

/** Lists the jobs that run or wait. They are few compared with those that have ended. */
async function* jobsAtWork({ database }: UsesContext) {
  for (const status of JOBS_AT_WORK) {
    const pages = readPages<Pick<EvaluationJobTable, "id" | "namespace" | "target" | "config">>((last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("evaluation_jobs")
          .select(["id", "namespace", "target", "config"])
          .where("status", "=", status)
          .where("id", ">", last?.id ?? "")
          .orderBy("id")
          .limit(limit)
          .execute(),
      ),
    )
    for await (const rows of pages) yield* rows
  }
}

import { AssayError, formatTimestamp, GUARDRAIL_FILTER_FIELDS, type Pagination } from "@assay/schemas"
import { parseJsonRecord } from "@assay/json"
import type { Selectable } from "kysely"
import {
  slot,
  type DocumentKind,
  type DocumentTable,
  filteredBy,
  type FilteredTable,
  DOCUMENT_KINDS,
  checkWorkspace,
  notFoundIn,
  workspaceMissing,
  orderOf,
  readRecords,
  rememberRecords,
  type RecordQuery,
  changeTime,
  checkStorable,
  createRecord,
  type FilteredQuery,
  type VisibleWorkspaces,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { searchDocuments, type DocumentQuery } from "./search-documents.ts"

/** A named record of a workspace with free-form data. */
export interface Document<Data> {
  readonly id: string
  readonly name: string
  readonly workspace: string
  readonly project: string
  readonly description: string
  readonly data: Data
  readonly created_at: string
  readonly updated_at: string
}

export interface CreateDocument<Data> {
  /** Default: its id. */
  readonly name?: string
  readonly description?: string
  readonly project?: string
  /** If it has a `type`, that key must be first, so that it can be searched. */
  readonly data: Data
}

/** A given key replaces the whole value. Null empties it. */
export interface UpdateDocument<Data> {
  readonly description?: string | null
  readonly project?: string | null
  readonly data?: Data
  /** The `updated_at` that the document must still have. For changes that depend on an earlier read. */
  readonly unchangedSince?: string
}

/** Documents of one kind. `get` returns a frozen object, which is the same until the document changes. */
export interface Documents<Data> {
  /** @throws `already_exists`; `invalid_request` if there is no such workspace */
  create(workspace: string, body: CreateDocument<Data>): Promise<Document<Data>>
  list(
    workspace: string,
    query: RecordQuery & FilteredQuery,
  ): Promise<{ data: Document<Data>[]; pagination: Pagination }>
  /** Searches all visible workspaces. */
  search(query: DocumentQuery, visible: VisibleWorkspaces): Promise<{ data: Document<Data>[]; pagination: Pagination }>
  /** @throws `not_found` */
  get(workspace: string, name: string): Promise<Document<Data>>
  /** @throws `not_found`; `precondition_failed` if it was changed after `unchangedSince` */
  update(workspace: string, name: string, body: UpdateDocument<Data>): Promise<Document<Data>>
  /** @throws `not_found` */
  remove(workspace: string, name: string): Promise<Document<Data>>
}

/** Filters of listings, which only guardrail configurations have. */
const DOCUMENTS: FilteredTable = { name: "documents", fields: GUARDRAIL_FILTER_FIELDS, folded: [] }

/** Columns without a size limit. */
const LARGE = ["data"]

/** Creates the documents of one kind. All kinds share a table. */
export function createDocuments<Data>(context: RegistryContext, kind: DocumentKind): Documents<Data> {
  const { database } = context
  const { noun } = DOCUMENT_KINDS[kind]
  // Callers read the same document many times a second.
  const remembered = rememberRecords(documentOf<Data>)
  const found = database.prepare((queries) =>
    queries
      .selectFrom("documents")
      .selectAll()
      .where("workspace", "=", slot<string>("workspace"))
      .where("kind", "=", kind)
      .where("name", "=", slot<string>("name")),
  )

  async function find(workspace: string, name: string): Promise<Document<Data>> {
    const [row] = await found.run({ workspace, name })
    if (row === undefined) throw await notFoundIn(database, workspace, noun, name)
    return remembered(row)
  }

  return {
    create: (workspace, body) => insertDocument(context, kind, workspace, body),

    async list(workspace, { sort, filter, ...query }) {
      const { column, direction } = orderOf(sort)
      const { rows, pagination } = await readRecords(database, { ...query, large: LARGE }, (queries) =>
        queries
          .selectFrom("documents")
          .selectAll()
          .where((row) => row.and({ workspace, kind }))
          .where(filteredBy(filter, database.dialect, DOCUMENTS))
          .orderBy(column, direction)
          .orderBy("id"),
      )
      if (rows.length === 0) await database.read((queries) => checkWorkspace(queries, workspace))
      return { data: rows.map(documentOf<Data>), pagination }
    },

    async search(query, visible) {
      const { rows, pagination } = await searchDocuments(database, kind, query, visible)
      return { data: rows.map(documentOf<Data>), pagination }
    },

    get: find,

    async update(workspace, name, body) {
      const changes = changesOf(body)
      if (Object.keys(changes).length === 0) return find(workspace, name)
      const row = await changeDocument(context, { workspace, kind, name }, changes, body.unchangedSince)
      if (row !== undefined) return documentOf(row)
      await find(workspace, name)
      const message = `${noun} '${workspace}/${name}' was changed in the meantime; read it again and repeat the change.`
      throw new AssayError("precondition_failed", message, { context: { workspace, name } })
    },

    async remove(workspace, name) {
      const row = await database.write((queries) =>
        queries
          .deleteFrom("documents")
          .where((row) => row.and({ workspace, kind, name }))
          .returningAll()
          .executeTakeFirst(),
      )
      if (row === undefined) throw await notFoundIn(database, workspace, noun, name)
      return documentOf(row)
    },
  }
}

/** @throws `already_exists`; `invalid_request` if there is no such workspace */
async function insertDocument<Data>(
  { database, now, newId }: RegistryContext,
  kind: DocumentKind,
  workspace: string,
  { name: given, description = "", project = "", data }: CreateDocument<Data>,
): Promise<Document<Data>> {
  const { noun, idPrefix } = DOCUMENT_KINDS[kind]
  const id = newId(idPrefix)
  const name = given ?? id
  checkStorable({ name, description, project })
  const time = now()
  const row = {
    id,
    kind,
    workspace,
    name,
    description,
    project,
    data: JSON.stringify(data),
    created_at: time,
    updated_at: time,
  }
  await createRecord(database, (queries) => queries.insertInto("documents").values(row).execute(), {
    taken: () => new AssayError("already_exists", `${noun} '${workspace}/${name}' already exists`),
    missingParent: () => workspaceMissing(workspace),
  })
  return documentOf(row)
}

type DocumentChanges = Partial<Pick<Selectable<DocumentTable>, "description" | "project" | "data">>

function changesOf<Data>({ description, project, data }: UpdateDocument<Data>): DocumentChanges {
  checkStorable({ description, project })
  return {
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(project === undefined ? {} : { project: project ?? "" }),
    ...(data === undefined ? {} : { data: JSON.stringify(data) }),
  }
}

/** Returns undefined, and changes nothing, if there is no such document or if it was changed after `unchangedSince`. */
function changeDocument(
  { database, now }: RegistryContext,
  address: { readonly workspace: string; readonly kind: DocumentKind; readonly name: string },
  changes: DocumentChanges,
  unchangedSince: string | undefined,
): Promise<Selectable<DocumentTable> | undefined> {
  return database.write((queries) =>
    queries
      .updateTable("documents")
      .set({ ...changes, updated_at: changeTime(now()) })
      .where((row) => row.and(address))
      .$if(unchangedSince !== undefined, (query) => query.where("updated_at", "=", Date.parse(unchangedSince ?? "")))
      .returningAll()
      .executeTakeFirst(),
  )
}

function documentOf<Data>(row: Selectable<DocumentTable>): Document<Data> {
  return {
    id: row.id,
    name: row.name,
    workspace: row.workspace,
    project: row.project,
    description: row.description,
    data: parseJsonRecord(row.data) as Data,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  }
}

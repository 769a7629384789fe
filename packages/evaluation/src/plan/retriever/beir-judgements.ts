import { openRows } from "@assay/contents"
import { AssayError } from "@assay/schemas"
import { nearestNumber, numberText, fieldsOf } from "@assay/json"
import { quotePath } from "@assay/storage"
import type { OpenedDataset } from "../../job-environment.ts"
import { retrieval, type RowSource, type SourceRow } from "@assay/scoring"

/** A query with judged documents. */
export interface JudgedQuery {
  /** From `queries.jsonl`, if the file exists. */
  query: string | null
  /** Grades by id of the document. */
  readonly relevant: Record<string, number>
}

/**
 * Reads the judged queries of a dataset in BEIR's layout (`corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv`) into memory, in the
 * order of the qrels. Without a name, the split is `test` or the only one. The corpus is not read.
 * @throws `dataset_missing` without qrels; `rows_invalid` for a malformed line
 */
export async function beirJudgements(
  { storage, paths, metadata, pin }: OpenedDataset,
  split: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JudgedQuery>> {
  const judged = new Map<string, JudgedQuery>()
  const path = qrelsPath(paths, split, pin.files_url)
  for await (const rows of openRows(storage, path, { metadata, signal })) {
    for (const { row, fault, line } of rows) {
      const fields = fieldsOf(row)
      const query = queryId(fields)
      const document = idOf(fields["corpus-id"] ?? fields["corpus_id"] ?? fields["doc_id"])
      const grade = Number(nearestNumber(fields["score"] ?? 1))
      if (fault !== null || query === undefined || document === undefined || Number.isNaN(grade)) {
        const message = `Line ${line} of ${quotePath(path)} is not a judgement; write query-id, corpus-id and score under a header.`
        throw new AssayError("rows_invalid", message, { context: { line } })
      }
      const known = judged.get(query) ?? { query: null, relevant: Object.create(null) as Record<string, number> }
      known.relevant[document] = grade
      judged.set(query, known)
    }
  }
  await readQueries({ storage, paths, metadata, pin }, judged, signal)
  return judged
}

async function readQueries(
  { storage, paths, metadata }: OpenedDataset,
  judged: Map<string, JudgedQuery>,
  signal: AbortSignal,
): Promise<void> {
  const path = paths.find((one) => /(?:^|\/)queries\.jsonl(?:\.gz|\.zst)?$/.test(one))
  if (path === undefined) return
  for await (const rows of openRows(storage, path, { metadata, signal })) {
    for (const { row } of rows) {
      const fields = fieldsOf(row)
      const known = judged.get(queryId(fields) ?? "")
      if (known !== undefined && typeof fields["text"] === "string") known.query = fields["text"]
    }
  }
}

function qrelsPath(
  paths: OpenedDataset["paths"],
  split: string | undefined,
  filesUrl: string,
): OpenedDataset["paths"][number] {
  const all = paths.filter((path) => /(?:^|\/)qrels\/[^/]+$/.test(path))
  const named = all.find((path) => new RegExp(`/${escape(split ?? "test")}\\.[a-z.]+$`).test(`/${path}`))
  const found = named ?? (split === undefined && all.length === 1 ? all[0] : undefined)
  if (found !== undefined) return found
  const has = all.length === 0 ? "none" : all.slice(0, 8).map(quotePath).join(", ")
  const message = `Dataset ${filesUrl} has no judgements 'qrels/${split ?? "test"}.tsv'; it has ${has}.`
  throw new AssayError("dataset_missing", message)
}

function escape(text: string): string {
  return text.replaceAll(/[^\w]/g, "\\$&")
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : numberText(value)
}

const KEYS = ["query_id", "query-id", "qid", "_id", "id"] as const

/** Returns the id of the query of a row; undefined if it has none. */
function queryId(item: Readonly<Record<string, unknown>>): string | undefined {
  const ids = KEYS.map((key) => (typeof item[key] === "string" ? item[key] : numberText(item[key])))
  return ids.find((id) => id !== undefined)
}

/**
 * Adds the relevant documents to rankings. Like trec_eval, it leaves out rankings of queries without judgements. A judged query
 * without a ranking is added at the end, as a query that found nothing.
 */
export function judgedRankings(rankings: RowSource, judged: ReadonlyMap<string, JudgedQuery>): RowSource {
  return {
    async *open(signal) {
      const missing = new Set(judged.keys())
      let index = 0
      for await (const rows of rankings.open(signal)) {
        yield rows.flatMap((row) => {
          const found = judgedRow(row, judged, missing)
          return found === undefined ? [] : [{ ...found, index: index++ }]
        })
      }
      const empty = [...missing].map((id) => ({ index: index++, item: itemOf(id, judged.get(id), []) }))
      if (empty.length > 0) yield empty
    },
    count: () => Promise.resolve(judged.size),
  }
}

function judgedRow(
  row: SourceRow,
  judged: ReadonlyMap<string, JudgedQuery>,
  missing: Set<string>,
): Omit<SourceRow, "index"> | undefined {
  if (row.fault !== undefined) return row
  const id = queryId(row.item)
  if (id === undefined) return { item: row.item, fault: "The row has no 'query_id'; give the id of its query." }
  const known = judged.get(id)
  if (known === undefined) return undefined
  if (!missing.delete(id))
    return { item: row.item, fault: `The query '${id}' has a second ranking; give one for each.` }
  const key = retrieval.keys.ranking.find((name) => row.item[name] !== undefined)
  return { item: key === undefined ? row.item : itemOf(id, known, row.item[key]) }
}

function itemOf(id: string, known: JudgedQuery | undefined, ranking: unknown): SourceRow["item"] {
  return { query_id: id, query: known?.query ?? null, ranking, relevant: known?.relevant ?? {} }
}

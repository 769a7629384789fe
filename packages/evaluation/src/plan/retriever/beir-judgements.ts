import { openRows } from "@assay/contents"
import { AssayError, nearestNumber, numberText } from "@assay/schemas"
import { quotePath } from "@assay/storage/paths"
import type { OpenedDataset } from "../../job-environment.ts"
import { fieldsOf } from "../../rows/row-values.ts"

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
      const [query, document] = [queryId(fields), idOf(fields["corpus-id"] ?? fields["corpus_id"] ?? fields["doc_id"])]
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
export function queryId(item: Readonly<Record<string, unknown>>): string | undefined {
  const ids = KEYS.map((key) => (typeof item[key] === "string" ? item[key] : numberText(item[key])))
  return ids.find((id) => id !== undefined)
}

import { useQuery } from "@tanstack/react-query"
import { isObject } from "@assay/json"
import { useClient } from "../../../../api/use-client.ts"

/** The known facts about the rows that a file names. */
export interface ShownDataset {
  /** Undefined: it is not known. */
  readonly total: number | undefined
  readonly columns: readonly string[]
  /** The files of the fileset, as `workspace/fileset#path`. */
  readonly files: readonly string[]
  /** The fileset and the path whose rows are read. Undefined: there is none. */
  readonly address: DatasetAddress | undefined
  readonly error: Error | null
}

export interface DatasetAddress {
  readonly workspace: string
  readonly fileset: string
  /** Undefined: the file names the whole fileset. */
  readonly path: string | undefined
}

const MAX_FILES = 100
const MAX_COLUMNS = 50
const ROW_FILE = /\.(?:csv|tsv|json|jsonl|ndjson|parquet)(?:\.(?:gz|zst))?$/iu
const FRESH_MS = 60_000

/** Reads the first row of the dataset of a file, and the names of the files beside it. */
export function useDataset(data: unknown, home: string): ShownDataset {
  const client = useClient()
  const address = addressOf(data, home)
  const { workspace = "", fileset = "", path } = address ?? {}
  const isNamed = address !== undefined
  const options = { retry: false, staleTime: FRESH_MS, enabled: isNamed }
  const listed = useQuery({
    queryKey: ["launch", "files", workspace, fileset],
    queryFn: async ({ signal }) => {
      const { data: found } = await client.files.page(workspace, fileset, { limit: MAX_FILES }, { signal })
      return found.map((file) => file.path).filter((one) => ROW_FILE.test(one))
    },
    ...options,
  })
  // Rows of a pattern, or of several files, have the columns of the first of them.
  const isFile = path !== undefined && !/[*?]/u.test(path)
  const shown = isFile ? path : listed.data?.[0]
  const first = useQuery({
    queryKey: ["launch", "rows", workspace, fileset, shown],
    queryFn: ({ signal }) => client.rows.page(workspace, fileset, { path: shown ?? "", limit: 1 }, { signal }),
    ...options,
    enabled: isNamed && shown !== undefined,
  })
  if (Array.isArray(data)) return { ...NONE, total: data.length, columns: columnsOf(data[0]) }
  const isWhole = isFile || listed.data?.length === 1
  return {
    total: isWhole ? (first.data?.total ?? undefined) : undefined,
    columns: columnsOf(first.data?.data[0]?.row),
    files: (listed.data ?? []).map((one) => `${workspace}/${fileset}#${one}`),
    address,
    error: first.error ?? listed.error,
  }
}

const NONE: ShownDataset = { total: undefined, columns: [], files: [], address: undefined, error: null }

function columnsOf(row: unknown): readonly string[] {
  return isObject(row) ? Object.keys(row).slice(0, MAX_COLUMNS) : []
}

const SHORT = /^(?:([^/#\s]+)\/)?([^/#\s]+)(?:#(.+))?$/u
const LONG = /^(?:assay|hf):\/\/datasets\/([^/]+)\/([^/]+)(?:\/(.+))?$/u

/** Returns the fileset that the `data` of a file names. Undefined: it names none. */
function addressOf(data: unknown, home: string): DatasetAddress | undefined {
  const url = isObject(data) ? data["files_url"] : data
  if (typeof url !== "string" || url.startsWith(".") || ROW_FILE.test(url.split("#")[0] ?? "")) {
    const [, workspace, fileset, path] = (typeof url === "string" ? LONG.exec(url) : null) ?? []
    return workspace === undefined || fileset === undefined ? undefined : { workspace, fileset, path }
  }
  const [, workspace, fileset, path] = LONG.exec(url) ?? SHORT.exec(url) ?? []
  return fileset === undefined ? undefined : { workspace: workspace ?? home, fileset, path }
}

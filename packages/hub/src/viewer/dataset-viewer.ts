import { rowFormatOf } from "@assay/contents"
import type {
  ViewerFirstRows,
  ViewerParquet,
  ViewerRows,
  ViewerSize,
  ViewerSplits,
  ViewerStatistics,
  ViewerValidity,
} from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import type { Static } from "@sinclair/typebox"
import { repositoryUrl } from "../hub-address.ts"
import { describeStatistic } from "./describe-statistics.ts"
import { findRows } from "./find-rows.ts"
import { firstRowsOf } from "./first-rows.ts"
import { checkConfig, createOpenSplit, splitsOf, type OpenedSplit, type ViewedDataset } from "./open-split.ts"
import { parseSearch } from "./search-text.ts"
import { countFiles, readSplit, type ViewedRow } from "./split-rows.ts"
import { CONFIG } from "./splits.ts"
import { parseWhere } from "./where.ts"

/** Maximum number of rows of a page. */
export const MAX_VIEWED_ROWS = 100

interface SplitQuery {
  readonly config?: string | undefined
  readonly split: string
}

interface PageQuery extends SplitQuery {
  readonly offset: number
  /** At most 100. */
  readonly length: number
}

/** The interface of the dataset viewer over the files of a fileset as they are. Nothing is converted or computed in advance. */
export interface DatasetViewer {
  validity(viewed: ViewedDataset): Promise<Static<typeof ViewerValidity>>
  splits(viewed: ViewedDataset, config?: string): Promise<Static<typeof ViewerSplits>>
  firstRows(viewed: ViewedDataset, query: SplitQuery): Promise<Static<typeof ViewerFirstRows>>
  rows(viewed: ViewedDataset, query: PageQuery): Promise<Static<typeof ViewerRows>>
  search(viewed: ViewedDataset, query: PageQuery & { readonly query: string }): Promise<Static<typeof ViewerRows>>
  filter(viewed: ViewedDataset, query: PageQuery & FilterClauses): Promise<Static<typeof ViewerRows>>
  statistics(viewed: ViewedDataset, query: SplitQuery): Promise<Static<typeof ViewerStatistics>>
  size(viewed: ViewedDataset, config?: string): Promise<Static<typeof ViewerSize>>
  /** Lists the Parquet files that the fileset has itself. @param hub the URL of the hub */
  parquet(viewed: ViewedDataset, hub: string, config?: string): Promise<Static<typeof ViewerParquet>>
}

interface FilterClauses {
  readonly where: string | undefined
  readonly orderby: string | undefined
}

/** Creates the viewer. It remembers the types of columns by the version of their files. */
export function createDatasetViewer(): DatasetViewer {
  const openSplit = createOpenSplit()
  async function open(viewed: ViewedDataset, { config, split }: SplitQuery): Promise<OpenedSplit> {
    checkConfig(config)
    return openSplit(viewed, await splitsOf(viewed, split), split)
  }
  return {
    async validity(viewed) {
      const isValid = (await splitsOf(viewed)).size > 0
      return { preview: isValid, viewer: isValid, search: isValid, filter: isValid, statistics: isValid }
    },
    async splits(viewed, config) {
      checkConfig(config)
      const names = [...(await splitsOf(viewed)).keys()]
      return { splits: names.map((split) => partOf(viewed, split)), pending: [], failed: [] }
    },
    async firstRows(viewed, query) {
      const split = await open(viewed, query)
      return { ...partOf(viewed, split.name), features: [...split.features], ...(await firstRowsOf(viewed, split)) }
    },
    async rows(viewed, query) {
      const split = await open(viewed, query)
      const counts = await countFiles(viewed, split)
      return pageOf(split, { rows: await readSplit(viewed, split, { counts, ...query }), total: sum(counts) })
    },
    async search(viewed, { query, ...page }) {
      const matches = parseSearch(query)
      const split = await open(viewed, page)
      return pageOf(split, await findRows(viewed, split, { ...page, matches, orderBy: undefined }))
    },
    async filter(viewed, { where, orderby, ...page }) {
      const condition = where === undefined ? undefined : parseWhere(where)
      const matches = (row: unknown) => condition === undefined || condition(row) === true
      const split = await open(viewed, page)
      return pageOf(split, await findRows(viewed, split, { ...page, matches, orderBy: orderby }))
    },
    async statistics(viewed, query) {
      const { files, metadata } = await open(viewed, query)
      const paths = files.map(({ path }) => path)
      const { fileset, reader, signal } = viewed
      const { rows, columns } = await reader.files.statistics(fileset, paths, { metadata, signal })
      const statistics = columns.flatMap((column) => describeStatistic(column, rows) ?? [])
      return { num_examples: rows, statistics, partial: false }
    },
    async size(viewed, config) {
      checkConfig(config)
      const splits = await splitsOf(viewed)
      const parts: Static<typeof ViewerSize>["size"]["splits"] = []
      for (const name of splits.keys()) {
        const split = await openSplit(viewed, splits, name)
        const num_rows = sum(await countFiles(viewed, split))
        const sizes = { ...bytesOf(split.files), num_rows, num_columns: split.features.length }
        parts.push({ ...partOf(viewed, name), ...sizes })
      }
      return { size: { ...totalOf(viewed, parts), splits: parts }, pending: [], failed: [], partial: false }
    },
    async parquet(viewed, hub, config) {
      checkConfig(config)
      const splits = await splitsOf(viewed)
      const below = `${repositoryUrl(hub, "datasets", viewed.dataset)}/resolve/main`
      const parquet_files = [...splits].flatMap(([split, files]) =>
        files.filter(isParquet).map(({ path, size }) => ({
          ...partOf(viewed, split),
          url: `${below}/${path.split("/").map(encodeURIComponent).join("/")}`,
          filename: path.slice(path.lastIndexOf("/") + 1),
          size,
        })),
      )
      return { parquet_files, pending: [], failed: [], partial: false }
    },
  }
}

function partOf({ dataset }: ViewedDataset, split: string) {
  return { dataset, config: CONFIG, split } as const
}

function pageOf(
  { features }: OpenedSplit,
  { rows, total }: { readonly rows: readonly ViewedRow[]; readonly total: number },
): Static<typeof ViewerRows> {
  return {
    features: [...features],
    rows: rows.map((row) => ({ ...row, truncated_cells: [...row.truncated_cells] })),
    num_rows_total: total,
    num_rows_per_page: MAX_VIEWED_ROWS,
    partial: false,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function isParquet({ path }: StoredFile): boolean {
  return rowFormatOf(path)?.encoding === "parquet"
}

function bytesOf(files: readonly StoredFile[]) {
  return {
    num_bytes_original_files: sum(files.map(({ size }) => size)),
    num_bytes_parquet_files: sum(files.filter(isParquet).map(({ size }) => size)),
    num_bytes_memory: null,
  }
}

function totalOf({ dataset }: ViewedDataset, parts: Static<typeof ViewerSize>["size"]["splits"]) {
  const sizes = {
    num_bytes_original_files: sum(parts.map(({ num_bytes_original_files }) => num_bytes_original_files)),
    num_bytes_parquet_files: sum(parts.map(({ num_bytes_parquet_files }) => num_bytes_parquet_files)),
    num_bytes_memory: null,
    num_rows: sum(parts.map(({ num_rows }) => num_rows)),
  }
  const num_columns = Math.max(0, ...parts.map((part) => part.num_columns))
  const config = { dataset, config: CONFIG, ...sizes, num_columns } as const
  return { dataset: { dataset, ...sizes }, configs: parts.length === 0 ? [] : [config] }
}

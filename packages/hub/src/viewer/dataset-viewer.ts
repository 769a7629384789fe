import type {
  ViewerFirstRows,
  ViewerParquet,
  ViewerRows,
  ViewerSize,
  ViewerSplits,
  ViewerStatistics,
  ViewerValidity,
} from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import { listParquetFiles, measureSplits, partOf, sum } from "./dataset-files.ts"
import { describeStatistic } from "./describe-statistics.ts"
import { findRows } from "./find-rows.ts"
import { firstRowsOf } from "./first-rows.ts"
import { checkConfig, createOpenSplit, splitsOf, type OpenedSplit, type ViewedDataset } from "./open-split.ts"
import { parseSearch } from "./search-text.ts"
import { countFiles, readSplit, type ViewedRow } from "./split-rows.ts"
import { parseWhere } from "./where.ts"

/** Maximum number of rows of a page. */
const MAX_VIEWED_ROWS = 100

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
      return measureSplits(viewed, openSplit)
    },
    async parquet(viewed, hub, config) {
      checkConfig(config)
      return listParquetFiles(viewed, hub)
    },
  }
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

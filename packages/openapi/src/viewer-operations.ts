import type { Operations } from "./operation.ts"

const viewed = { dataset: "default/reviews", split: "train" }

/** Operations of the dataset viewer, on the fileset of the other examples. */
export const VIEWER_OPERATIONS: Operations = Object.fromEntries(
  Object.entries({
    "is-valid": { id: "isViewable", parameters: { dataset: viewed.dataset } },
    splits: { id: "listSplits", parameters: { dataset: viewed.dataset } },
    size: { id: "getDatasetSize", parameters: { dataset: viewed.dataset } },
    parquet: { id: "listParquetFiles", parameters: { dataset: viewed.dataset } },
    "first-rows": { id: "viewFirstRows", parameters: viewed },
    rows: { id: "viewRows", parameters: { ...viewed, offset: 0, length: 10 } },
    search: { id: "searchRows", parameters: { ...viewed, query: "good" } },
    filter: { id: "filterRows", parameters: { ...viewed, where: '"stars">=2' } },
    statistics: { id: "getStatistics", parameters: viewed },
  }).map(([path, operation]) => [`GET /apis/files/v2/hf/${path}`, operation]),
)

import { Type } from "@sinclair/typebox"
import { orNull } from "../records/field-types.ts"

const dataset = Type.String({ description: "`{workspace}/{fileset}`" })
const config = Type.Literal("default")
const split = Type.String()
const part = { dataset, config, split }
/** Nothing is computed in advance, so nothing is pending. */
const whole = { pending: Type.Array(Type.Unknown()), failed: Type.Array(Type.Unknown()) }
const partial = Type.Literal(false, { description: "Whole files are read." })

export const ViewerValidity = Type.Object(
  {
    preview: Type.Boolean(),
    viewer: Type.Boolean(),
    search: Type.Boolean(),
    filter: Type.Boolean(),
    statistics: Type.Boolean(),
  },
  { $id: "ViewerValidity" },
)

export const ViewerSplits = Type.Object({ splits: Type.Array(Type.Object(part)), ...whole }, { $id: "ViewerSplits" })

const features = Type.Array(
  Type.Object({
    feature_idx: Type.Integer(),
    name: Type.String(),
    type: Type.Unknown({ description: "As the datasets library writes it; `Json` for values of different types." }),
  }),
)
const rows = Type.Array(
  Type.Object({
    row_idx: Type.Integer({ description: "Index within the split." }),
    row: Type.Unknown({ description: "Null if the row can't be read." }),
    truncated_cells: Type.Array(Type.String()),
  }),
)

export const ViewerFirstRows = Type.Object(
  { ...part, features, rows, truncated: Type.Boolean() },
  { $id: "ViewerFirstRows" },
)

export const ViewerRows = Type.Object(
  {
    features,
    rows,
    num_rows_total: Type.Integer({ description: "Rows of the split, or those that match." }),
    num_rows_per_page: Type.Integer(),
    partial,
  },
  { $id: "ViewerRows" },
)

export const ViewerStatistics = Type.Object(
  {
    num_examples: Type.Integer(),
    statistics: Type.Array(
      Type.Object({ column_name: Type.String(), column_type: Type.String(), column_statistics: Type.Unknown() }),
    ),
    partial,
  },
  { $id: "ViewerStatistics" },
)

const sizes = {
  num_bytes_original_files: Type.Integer(),
  num_bytes_parquet_files: Type.Integer({ description: "Bytes of the Parquet files that the fileset has itself." }),
  num_bytes_memory: orNull<number>("integer", "Always null: not measured."),
  num_rows: Type.Integer(),
}
const num_columns = Type.Integer()

export const ViewerSize = Type.Object(
  {
    size: Type.Object({
      dataset: Type.Object({ dataset, ...sizes }),
      configs: Type.Array(Type.Object({ dataset, config, ...sizes, num_columns })),
      splits: Type.Array(Type.Object({ ...part, ...sizes, num_columns })),
    }),
    ...whole,
    partial,
  },
  { $id: "ViewerSize" },
)

export const ViewerParquet = Type.Object(
  {
    parquet_files: Type.Array(
      Type.Object({ ...part, url: Type.String(), filename: Type.String(), size: Type.Integer() }),
    ),
    ...whole,
    partial,
  },
  { $id: "ViewerParquet" },
)

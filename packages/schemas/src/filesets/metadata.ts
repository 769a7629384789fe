import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../records/field-types.ts"

const closed = { additionalProperties: false } as const

const JsonSchemaObject = Type.Record(AnyName, Type.Unknown(), { description: "An inline JSON Schema." })
const RowSchema = Type.Union([JsonSchemaObject, Type.String({ description: "A key of `schema_defs`." })])

const ROW_ENFORCEMENTS = ["reject", "warn", "off"] as const

/** The form of CSV and TSV. Absent fields are detected in the first 64 KiB of each file. */
const CsvSettings = Type.Object(
  {
    delimiter: Type.Optional(
      Type.String({
        pattern: "^[\\u0001-\\u0009\\u000b\\u000c\\u000e-!#-\\u007f]$",
        description: "The character between two fields: ASCII, but not a quote or a line end.",
        examples: [";"],
      }),
    ),
    encoding: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "The encoding of the text, by its name in the Encoding Standard.",
        examples: ["windows-1252"],
      }),
    ),
    quotes: Type.Optional(
      enumeration(["double", "none"], {
        description: 'Whether `"` at the beginning of a field encloses it (`double`), or is a letter (`none`).',
      }),
    ),
    decimal: Type.Optional(
      enumeration([".", ","], { description: "The decimal separator of numbers in columns whose schema is a number." }),
    ),
  },
  { $id: "CsvSettings", ...closed },
)

/** The row schemas of a dataset, and how its CSV is written. */
export const DatasetMetadata = Type.Object(
  {
    schema: Type.Optional(RowSchema),
    schema_defs: Type.Optional(
      Type.Record(AnyName, JsonSchemaObject, {
        description: "Definitions by name, for use in the other two keys.",
      }),
    ),
    schemas_by_path: Type.Optional(
      Type.Record(AnyName, RowSchema, {
        description:
          "Row schemas by relative file path or glob (`*`, `**`, `?`, `[a-z]`). They take precedence over `schema`.",
      }),
    ),
    enforce: Type.Optional(
      enumeration(ROW_ENFORCEMENTS, {
        description:
          "What happens to an upload with invalid rows: refused, stored with a warning, or (default) not checked.",
      }),
    ),
    csv: Type.Optional(CsvSettings),
  },
  { $id: "DatasetMetadata", ...closed },
)
export type DatasetMetadata = Static<typeof DatasetMetadata>

/** How a model calls tools. Merged into its specification during checkpoint analysis. */
export const ToolCalling = Type.Object(
  {
    chat_template: Type.Optional(Type.String({ description: "Jinja2 chat template." })),
    tool_call_parser: Type.Optional(
      Type.String({ examples: ["openai", "hermes", "pythonic", "llama3_json", "mistral"] }),
    ),
    tool_call_plugin: Type.Optional(
      Type.String({
        pattern: "^[^/\\s]+/[A-Za-z0-9_.\\-]+$",
        description: "A fileset with the file of a custom plugin: `<workspace>/<fileset_name>`.",
      }),
    ),
    auto_tool_choice: Type.Optional(Type.Boolean({ description: "Enables automatic tool choice." })),
  },
  { $id: "ToolCalling", ...closed },
)
export type ToolCalling = Static<typeof ToolCalling>

export const ModelMetadata = Type.Object(
  { tool_calling: Type.Optional(ToolCalling) },
  { $id: "ModelMetadata", ...closed },
)
export type ModelMetadata = Static<typeof ModelMetadata>

/** The metadata of a fileset. The key names the type. */
export const Metadata = Type.Object(
  { dataset: Type.Optional(DatasetMetadata), model: Type.Optional(ModelMetadata) },
  { $id: "Metadata", ...closed },
)
export type Metadata = Static<typeof Metadata>
